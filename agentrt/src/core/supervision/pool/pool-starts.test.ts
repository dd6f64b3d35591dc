/** The members of a pool start and restart side by side: none waits for another one. */
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  Agent,
  type JsonObject,
  type Message,
  pool,
  type PoolOptions,
  supervisor,
} from "../../index.ts";
import { Simulation } from "../../../testing/index.ts";

const never = (): Promise<void> => new Promise(() => undefined);
/** How long the next starts of a member take; the default is at once. */
let startMs: (name: string) => number = () => 0;
let stopMs = 0;

class Opening extends Agent {
  override onStart(): Promise<void> {
    const ms = startMs(this.name);
    return ms === Number.POSITIVE_INFINITY ? never() : simulation.sleep(ms);
  }

  override onStop = (): Promise<void> => simulation.sleep(stopMs);

  override async handle({ payload }: Message): Promise<JsonObject> {
    await simulation.sleep(Number(payload["ms"] ?? 0));
    if (payload["crash"] === true) throw new RangeError("as told");
    return { by: this.name };
  }
}

let simulation: Simulation;

function simulateOpening(options: PoolOptions): Simulation {
  startMs = () => 0;
  stopMs = 0;
  simulation = new Simulation({
    supervision: supervisor("root", { children: [pool(Opening, "opening", options)] }),
  });
  return simulation;
}

function memberStatuses(): string[] {
  const [node] = simulation.runtime.tree().children;
  assert.ok(node?.kind === "supervisor");
  return node.children.map(({ name, status }) => `${name} ${status}`);
}

test("ten members whose start takes a second have started after a second", async () => {
  await using _ = simulateOpening({ size: 10 });
  startMs = () => 1000;
  await simulation.start();
  assert.equal(simulation.clock.monotonicMs(), 1000);
  assert.equal(memberStatuses().filter((each) => each.endsWith("RUNNING")).length, 10);
});

test("a member that hangs in its start holds up the restart of no other one", async () => {
  await using _ = simulateOpening({ size: 3, backoffBaseMs: 10, startTimeoutMs: 60_000 });
  await simulation.start();
  const { runtime } = simulation;
  startMs = (name) => (name === "opening/1" ? Number.POSITIVE_INFINITY : 0);
  const crashes = [1, 2].map(() => runtime.call("opening", { ms: 5, crash: true }));
  await simulation.until(Promise.allSettled(crashes));
  await simulation.advance(1000);
  assert.deepEqual(memberStatuses(), [
    "opening/1 INITIALIZING",
    "opening/2 RUNNING",
    "opening/3 RUNNING",
  ]);
  // It can be stopped meanwhile, and started again.
  await simulation.until(runtime.stopAgent("opening/1"));
  assert.equal(memberStatuses()[0], "opening/1 STOPPED");
  startMs = () => 0;
  await simulation.until(runtime.restart("opening/1"));
  assert.equal(memberStatuses()[0], "opening/1 RUNNING");
  assert.ok(simulation.clock.monotonicMs() < 10_000, "its shutdown time-out ends it");
});

test("a member that crashes while others of its pool still start is restarted in its time", async () => {
  await using _ = simulateOpening({ size: 3, backoffBaseMs: 100, startTimeoutMs: 60_000 });
  startMs = (name) => (name === "opening/3" ? 20_000 : 0);
  const starting = simulation.runtime.start();
  await simulation.advance(10);
  const { runtime } = simulation;
  const crashing = runtime.call("opening", { crash: true });
  await assert.rejects(simulation.until(crashing), { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.advance(150);
  assert.deepEqual(memberStatuses(), [
    "opening/1 RUNNING",
    "opening/2 RUNNING",
    "opening/3 INITIALIZING",
  ]);
  assert.equal(runtime.snapshot().restartHistory.length, 1);
  await simulation.until(starting);
  assert.equal(simulation.clock.monotonicMs(), 20_000);
});

test("a member that crashes too often while others of its pool still start fails the pool", async () => {
  simulateOpening({ size: 2, restartCountMax: 0, startTimeoutMs: 60_000 });
  startMs = (name) => (name === "opening/2" ? 20_000 : 0);
  const starting = assert.rejects(simulation.runtime.start(), /opening/);
  await simulation.advance(10);
  const crashing = simulation.runtime.call("opening", { crash: true });
  await assert.rejects(simulation.until(crashing), { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.until(starting);
  assert.ok(simulation.clock.monotonicMs() < 20_000, "it does not wait for the other one");
  await simulation.stop();
});

test("a member that does not start with its pool fails the pool, and the others are stopped", async () => {
  simulateOpening({ size: 3, startTimeoutMs: 500 });
  startMs = (name) => (name === "opening/2" ? Number.POSITIVE_INFINITY : 100);
  await assert.rejects(simulation.start(), /opening\/2/);
  assert.ok(simulation.clock.monotonicMs() <= 520, String(simulation.clock.monotonicMs()));
  await simulation.stop();
});

test("requests to stop a member and to start it again are served in their order, whatever it is doing", async () => {
  await using _ = simulateOpening({ size: 2 });
  await simulation.start();
  const { runtime } = simulation;
  startMs = () => 100;
  stopMs = 100;
  const stopping = runtime.stopAgent("opening/1");
  await simulation.advance(50);
  const reviving = runtime.restart("opening/1");
  await simulation.advance(100);
  assert.equal(memberStatuses()[0], "opening/1 INITIALIZING");
  // It starts: a stop gives that up, and answers who waited for the start.
  const stoppingAgain = runtime.stopAgent("opening/1");
  await simulation.until(Promise.all([stopping, reviving, stoppingAgain]));
  assert.equal(memberStatuses()[0], "opening/1 STOPPED");
  const ends = [
    runtime.restart("opening/1"),
    runtime.restart("opening/1"),
    runtime.stopAgent("opening/2"),
  ];
  await simulation.until(Promise.all(ends));
  assert.deepEqual(memberStatuses(), ["opening/1 RUNNING", "opening/2 STOPPED"]);
});

test("members are stopped and started again while others of their pool still start", async () => {
  await using _ = simulateOpening({ size: 3, startTimeoutMs: 60_000, shutdownTimeoutMs: 100 });
  startMs = (name) => ({ "opening/1": Number.POSITIVE_INFINITY, "opening/2": 20_000 })[name] ?? 0;
  const starting = simulation.runtime.start();
  await simulation.advance(10);
  const { runtime } = simulation;
  await simulation.until(Promise.all([1, 3].map((n) => runtime.stopAgent(`opening/${n}`))));
  assert.deepEqual(memberStatuses(), [
    "opening/1 STOPPED",
    "opening/2 INITIALIZING",
    "opening/3 STOPPED",
  ]);
  startMs = () => 0;
  await simulation.until(runtime.restart("opening/1"));
  assert.deepEqual(await simulation.call("opening", {}), { by: "opening/1" });
  assert.ok(simulation.clock.monotonicMs() < 1000, String(simulation.clock.monotonicMs()));
  await simulation.until(starting);
  assert.equal(simulation.clock.monotonicMs(), 20_000);
  assert.deepEqual(memberStatuses().slice(0, 2), ["opening/1 RUNNING", "opening/2 RUNNING"]);
});

test("a pool has started when the last member that it waited for is stopped", async () => {
  await using _ = simulateOpening({ size: 2, startTimeoutMs: 60_000, shutdownTimeoutMs: 100 });
  startMs = (name) => (name === "opening/2" ? Number.POSITIVE_INFINITY : 0);
  const starting = simulation.runtime.start();
  await simulation.advance(10);
  const stopping = simulation.runtime.stopAgent("opening/2");
  await simulation.until(Promise.all([starting, stopping]));
  assert.ok(simulation.clock.monotonicMs() < 1000, String(simulation.clock.monotonicMs()));
  assert.deepEqual(memberStatuses(), ["opening/1 RUNNING", "opening/2 STOPPED"]);
});

test("a pool that stops while members start is down when all are", async () => {
  await using _ = simulateOpening({ memberCountMax: 4, scaleAfterMs: 10 });
  await simulation.start();
  const { runtime } = simulation;
  startMs = () => Number.POSITIVE_INFINITY;
  const calls = Promise.allSettled([1, 2, 3, 4].map(() => runtime.call("opening", { ms: 500 })));
  await simulation.advance(100);
  assert.equal(memberStatuses().filter((each) => each.endsWith("INITIALIZING")).length, 3);
  await simulation.until(runtime.stopAgent("opening"));
  await calls;
  assert.deepEqual(runtime.tree().children[0]?.status, "STOPPED");
  startMs = () => 0;
  await simulation.until(runtime.restart("opening"));
  assert.deepEqual(await simulation.call("opening", {}), { by: "opening/1" });
});

test("a member that is starting counts for one of the messages that wait, until it has started or has not", async () => {
  await using _ = simulateOpening({
    memberCountMax: 8,
    scaleAfterMs: 100,
    startTimeoutMs: 3500,
    backoffBaseMs: 60_000,
  });
  startMs = () => 2000;
  await simulation.start();
  const { runtime } = simulation;
  const calls = [1, 2, 3].map(() => runtime.call("opening", { ms: 20_000 }, { timeoutMs: 60_000 }));
  await simulation.advance(1900);
  assert.equal(memberStatuses().length, 3);
  await simulation.advance(3000);
  assert.equal(memberStatuses().filter((each) => each.endsWith("RUNNING")).length, 3);
  startMs = (name) => (name === "opening/4" ? Number.POSITIVE_INFINITY : 0);
  calls.push(runtime.call("opening", { ms: 20_000 }, { timeoutMs: 60_000 }));
  await simulation.advance(3500);
  assert.equal(memberStatuses().length, 4);
  // The start that failed counts no more.
  await simulation.advance(300);
  assert.deepEqual(memberStatuses().slice(3), ["opening/4 CRASHED", "opening/5 RUNNING"]);
  await simulation.until(Promise.all(calls));
});

test("a member that hangs in its start counts no more when it takes twice as long as any other", async () => {
  for (const [usualMs, laterMs] of [
    [0, 1000],
    [2000, 4000],
  ] as const) {
    await using _ = simulateOpening({
      memberCountMax: 4,
      scaleAfterMs: 100,
      startTimeoutMs: 60_000,
      hookTimeoutMs: 60_000,
    });
    startMs = () => usualMs;
    await simulation.start();
    startMs = (name) => (name === "opening/2" ? Number.POSITIVE_INFINITY : usualMs);
    const { runtime } = simulation;
    const long = { timeoutMs: 60_000 };
    const calls = [1, 2].map(() => runtime.call("opening", { ms: 20_000 }, long));
    await simulation.advance(100 + laterMs - 20);
    assert.equal(memberStatuses().length, 2);
    await simulation.advance(50 + usualMs);
    assert.deepEqual(memberStatuses().slice(1), ["opening/2 INITIALIZING", "opening/3 RUNNING"]);
    await simulation.until(Promise.all(calls));
  }
});

test("a member that hangs in its start holds up no message but the one it was added for", async () => {
  await using _ = simulateOpening({ memberCountMax: 4, scaleAfterMs: 100, hookTimeoutMs: 60_000 });
  await simulation.start();
  startMs = (name) => (name === "opening/2" ? Number.POSITIVE_INFINITY : 0);
  const { runtime } = simulation;
  const ask = (): Promise<unknown> => runtime.call("opening", { ms: 5000 });
  const calls = [ask(), ask()];
  await simulation.advance(300);
  assert.equal(memberStatuses().length, 2);
  calls.push(ask());
  await simulation.advance(120);
  assert.deepEqual(memberStatuses().slice(1), ["opening/2 INITIALIZING", "opening/3 RUNNING"]);
  await simulation.until(Promise.all(calls));
});
