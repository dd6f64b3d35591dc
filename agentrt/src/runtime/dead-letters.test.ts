import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, supervisor, type DeadLetter, type Message } from "../core/index.ts";
import { Simulation } from "../testing/simulation.ts";

/** Does what its messages say. */
class Worker extends Agent {
  override onError() {
    return this.config["onError"] === "skip" ? ("skip" as const) : ("escalate" as const);
  }

  override async handle(message: Message): Promise<object> {
    if (message.payload["hold"] === true) await new Promise(() => undefined);
    if (message.payload["fail"] === true) throw new Error("as told");
    return {};
  }
}

async function simulate(): Promise<Simulation> {
  const simulation = new Simulation({
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [
        child(Worker, "worker", { mailboxLengthMax: 1, shutdownTimeoutMs: 100 }),
        child(Worker, "skipper", { config: { onError: "skip" } }),
      ],
    }),
  });
  await simulation.start();
  return simulation;
}

const brief = ({ reason, recipient, type }: DeadLetter): string => `${reason} ${recipient} ${type}`;

test("every way to lose a message leaves a dead letter with its reason", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  await runtime.cast("nobody", {}, { type: "lost" }).catch(() => undefined);
  await simulation.cast("skipper", { fail: true }, { type: "poison" });
  await simulation.cast("worker", { fail: true }, { type: "crasher" });
  await simulation.cast("worker", { hold: true });
  await simulation.cast("worker", {}, { type: "queued" });
  const refused = runtime.cast("worker", {}, { type: "late", timeoutMs: 50 });
  await assert.rejects(simulation.until(refused), { code: "AGENTRT_BUS_MAILBOX_FULL" });
  await simulation.until(runtime.stopAgent("worker"));
  await runtime.cast("worker", {}, { type: "after" }).catch(() => undefined);
  assert.deepEqual(runtime.deadLetters().map(brief), [
    "noRoute nobody lost",
    "skipped skipper poison",
    "crashed worker crasher",
    "refused worker late",
    "stopped worker queued",
    "stopped worker message",
    "refused worker after",
  ]);
  const { noRoute, refused: refusedCount, stopped } = runtime.snapshot().dropped;
  assert.deepEqual([noRoute, refusedCount, stopped], [1, 2, 2]);
});

test("an expired message leaves a dead letter that says which it was", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const holding = runtime.call("worker", { hold: true }, { timeoutMs: 100 });
  holding.catch(() => undefined);
  await simulation.cast("worker", {}, { type: "brief", ttlMs: 10 });
  await simulation.advance(50);
  await simulation.crash("worker");
  await simulation.advance(500);
  const letter = runtime.deadLetters().find(({ reason }) => reason === "expired");
  assert.equal(letter?.type, "brief");
  assert.match(letter?.id ?? "", /^[0-9a-f-]{36}$/);
  assert.match(letter?.traceId ?? "", /^[0-9a-f]{32}$/);
  assert.ok((letter?.atMs ?? 0) - (letter?.timestampMs ?? 0) > 10);
});

test("the latest thousand dead letters are kept, all are counted, and a burst is two lines", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  for (let index = 0; index < 1500; index += 1) {
    await runtime.cast("nobody", {}, { type: `t${index}` }).catch(() => undefined);
  }
  const letters = runtime.deadLetters();
  assert.equal(letters.length, 1000);
  assert.equal(letters.at(-1)?.type, "t1499");
  assert.equal(runtime.snapshot().dropped.noRoute, 1500);
  await simulation.advance(6000);
  assert.deepEqual(simulation.logLines, [
    "warn  message not handled reason=noRoute recipient=nobody type=t0",
    "warn  message not handled: more like the one before reason=noRoute recipient=nobody type=t1499 count=1499",
  ]);
});

test("a watcher of dead letters gets the message itself, and its fault is only logged", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const payloads: unknown[] = [];
  const end = runtime.onDeadLetter((_letter, message) => {
    payloads.push(message?.payload);
    throw new Error("of the watcher");
  });
  await simulation.cast("skipper", { fail: true, order: 7 });
  end();
  await simulation.cast("skipper", { fail: true, order: 8 });
  assert.deepEqual(payloads, [{ fail: true, order: 7 }]);
  assert.ok(simulation.logLines.some((line) => line.includes("of the watcher")));
});
