/** Casts to keys of several workers over a stream of a real NATS server: suspended keys with many of them hold up no other one. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { skipUnless, startNats } from "testkit";
import {
  Agent,
  createRealSystem,
  createTextLog,
  keyed,
  type Message,
  supervisor,
} from "../../core/index.ts";
import { NatsLink } from "../../links/index.ts";
import { Runtime } from "../../runtime/index.ts";
import { serializerNamed } from "../../wire/index.ts";
import { supervisorNetwork, workerNetwork } from "../index.ts";

const log = createTextLog({ write: () => undefined });
const castCount = 350;
const suspended = ["held1", "held2", "held3"];

/** What keys have handled, over all workers. */
class Book {
  readonly #numbers = new Map<string, number[]>();
  readonly #heard = new EventTarget();

  add(key: string, number: number): void {
    const numbers = this.of(key);
    numbers.push(number);
    this.#numbers.set(key, numbers);
    this.#heard.dispatchEvent(new Event("handled"));
  }

  of(key: string): number[] {
    return this.#numbers.get(key) ?? [];
  }

  /** Settles when a key has handled so many different ones. */
  async until(key: string, count: number): Promise<void> {
    while (new Set(this.of(key)).size < count) await once(this.#heard, "handled");
  }
}

test(
  "jetstream: keys that are suspended with 350 casts each hold up no other key, and handle theirs in order once they are resumed",
  { skip: skipUnless("nats-server") },
  async () => {
    await using server = await startNats({ jetStream: true });
    const book = new Book();
    class Counter extends Agent {
      override async handle({ payload: { key, no } }: Message): Promise<undefined> {
        if (typeof key === "string") book.add(key, Number(no));
        return undefined;
      }
    }
    const nodes = () => [keyed(Counter, "counter", { process: "heavy", key: "key" })];
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
      agentNames: new Set(["counter"]),
    });
    await using runtime = new Runtime({
      supervision: supervisor("root", { children: nodes() }),
      log,
      network: supervisorNetwork({ ...connection(), sharedGroups: new Set(["heavy"]) }),
    });
    await runtime.start();
    const startWorker = async (): Promise<Runtime> => {
      const started = new Runtime({
        supervision: supervisor("worker:heavy", { children: nodes() }),
        log,
        network: workerNetwork({
          ...connection(),
          process: "heavy",
          isShared: true,
          others: [{ name: "counter", takesKeys: true }],
          onRefused: (error) => assert.fail(error),
        }),
      });
      await started.start();
      return started;
    };
    await using worker = await startWorker();
    for (const key of suspended) {
      await runtime.cast("counter", { key, no: 0 });
      await book.until(key, 1);
      await worker.suspend(`counter/${key}`, { reason: "test" });
    }
    for (let no = 1; no <= castCount; no += 1)
      await Promise.all(suspended.map((key) => runtime.cast("counter", { key, no })));
    const free = Array.from({ length: 20 }, (_, index) => `free${index}`);
    for (let no = 1; no <= 5; no += 1)
      await Promise.all(free.map((key) => runtime.cast("counter", { key, no })));
    for (const key of free) await book.until(key, 5);
    assert.deepEqual(
      suspended.map((key) => book.of(key)),
      suspended.map(() => [0]),
    );
    const [first = "", ...others] = suspended;
    await worker.resume(`counter/${first}`, { approver: "test" });
    await book.until(first, castCount + 1);
    const inOrder = Array.from({ length: castCount + 1 }, (_, no) => no);
    assert.deepEqual(book.of(first), inOrder);
    for (const key of others) await worker.resume(`counter/${key}`, { approver: "test" });
    for (const key of others) await book.until(key, castCount + 1);
    assert.deepEqual(
      others.map((key) => book.of(key)),
      others.map(() => inOrder),
    );
  },
);
