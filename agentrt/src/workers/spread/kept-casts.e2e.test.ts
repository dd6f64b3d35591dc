/** Casts to a pool of several workers over a stream of a real NATS server: they wait for a worker, and go to the next one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipUnless, startNats } from "testkit";
import {
  Agent,
  createRealSystem,
  createTextLog,
  type Message,
  pool,
  supervisor,
} from "../../core/index.ts";
import { NatsLink } from "../../links/index.ts";
import { Runtime } from "../../runtime/index.ts";
import { serializerNamed } from "../../wire/index.ts";
import { supervisorNetwork, workerNetwork } from "../index.ts";

const log = createTextLog({ write: () => undefined });

test(
  "jetstream: casts to a pool of several workers wait for the first one, and what one has when it stops goes to the next",
  { skip: skipUnless("nats-server") },
  async () => {
    await using server = await startNats({ jetStream: true });
    const handled: string[] = [];
    const heard = new EventTarget();
    const until = async (count: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const isThere = (): boolean => handled.length >= count;
      heard.addEventListener("handled", () => isThere() && resolve());
      if (!isThere()) await promise;
    };
    const nodes = (worker: string) => {
      class Member extends Agent {
        override async handle({ payload }: Message): Promise<undefined> {
          handled.push(`${worker} ${Number(payload["id"])}`);
          heard.dispatchEvent(new Event("handled"));
          if (payload["hangs"] === worker) await new Promise<never>(() => undefined);
          return undefined;
        }
      }
      return [pool(Member, "team", { size: 1, process: "heavy" })];
    };
    const connection = () => ({
      link: new NatsLink({
        servers: [server.url],
        name: "test",
        system: createRealSystem(),
        streamName: "AGENCY",
        onEvent: () => undefined,
      }),
      serializer: serializerNamed(undefined),
      log,
      topologyHash: "same",
      agentNames: new Set(["team"]),
    });
    await using runtime = new Runtime({
      supervision: supervisor("root", { children: nodes("nowhere") }),
      log,
      network: supervisorNetwork({ ...connection(), sharedGroups: new Set(["heavy"]) }),
    });
    await runtime.start();
    const startWorker = async (worker: string): Promise<Runtime> => {
      const started = new Runtime({
        supervision: supervisor("worker:heavy", { children: nodes(worker) }),
        log,
        network: workerNetwork({
          ...connection(),
          process: "heavy",
          isShared: true,
          others: [{ name: "team", takesKeys: false }],
          onRefused: (error) => assert.fail(error),
        }),
      });
      await started.start();
      return started;
    };
    await assert.rejects(runtime.call("team", {}), { code: "AGENTRT_WORKER_AWAY" });
    for (let id = 0; id < 5; id += 1) await runtime.cast("team", { id });
    const first = await startWorker("a");
    await until(5);
    // From a worker, too.
    await first.cast("team", { id: 5, hangs: "a" });
    await runtime.cast("team", { id: 6 });
    await until(6);
    await first.stop({ timeoutMs: 0 });
    await using second = await startWorker("b");
    await until(8);
    assert.deepEqual(handled.slice(0, 6), ["a 0", "a 1", "a 2", "a 3", "a 4", "a 5"]);
    assert.deepEqual(handled.slice(6).toSorted(), ["b 5", "b 6"]);
    assert.equal(second.snapshot().linkDuplicateCount, 0);
  },
);
