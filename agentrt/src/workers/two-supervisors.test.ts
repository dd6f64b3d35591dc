/** A supervisor that was cut off while another one took over is not obeyed any more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, createTextLog, supervisor } from "../core/index.ts";
import { MemoryBroker } from "../links/test-support/memory-broker.ts";
import { Runtime } from "../runtime/index.ts";
import { VirtualClock } from "../testing/virtual-clock.ts";
import { serializerNamed } from "../wire/index.ts";
import { supervisorNetwork, workerNetwork } from "./index.ts";

class Desk extends Agent {
  override async handle(): Promise<{ served: boolean }> {
    return { served: true };
  }
}

test("a worker obeys the supervisor that leads, and not the one that led before and comes back", async () => {
  const clock = new VirtualClock();
  const broker = new MemoryBroker();
  const log = createTextLog({ write: () => undefined });
  const shared = { system: clock, scheduler: clock.scheduler, log };
  const connection = (name: string) => ({
    link: broker.linkOf(name),
    serializer: serializerNamed(undefined),
    log,
    topologyHash: "same",
  });
  const startSupervisor = async (name: string, term: number): Promise<Runtime> => {
    const runtime = new Runtime({
      ...shared,
      supervision: supervisor("root", { children: [child(Desk, "desk", { process: "back" })] }),
      network: supervisorNetwork({ ...connection(name), term: () => term }),
    });
    const started = runtime.start();
    await clock.advance(5000);
    await started;
    return runtime;
  };
  const worker = new Runtime({
    ...shared,
    supervision: supervisor("worker:back", { restartCountMax: 0, children: [child(Desk, "desk")] }),
    network: workerNetwork({
      ...connection("back"),
      process: "back",
      others: [],
      onRefused: (error) => assert.fail(error),
    }),
  });
  const first = await startSupervisor("first", 7);
  const begun = worker.start();
  await clock.advance(5000);
  await begun;
  assert.deepEqual(await first.call("desk", {}), { served: true });

  broker.cut("first");
  const second = await startSupervisor("second", 8);
  assert.deepEqual(await second.call("desk", {}), { served: true });
  const restartCount = (): number => worker.tree().children[0]?.restartCount ?? -1;
  const before = restartCount();
  broker.mend("first");
  const asked = first.restart("desk").catch(() => undefined);
  await clock.advance(60_000);
  await asked;
  assert.deepEqual(await second.call("desk", {}), { served: true });
  assert.equal(restartCount(), before);

  const ends = [second, worker, first].map((each) => each.stop({ timeoutMs: 0 }));
  await clock.advance(60_000);
  await Promise.all(ends);
});
