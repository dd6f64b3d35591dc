import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  dynamicSupervisor,
  type JsonObject,
  type Message,
  supervisor,
} from "../../index.ts";
import { MemoryStateStore } from "../../../state/index.ts";
import { Simulation } from "../../../testing/index.ts";
import { Puppet } from "../../../testing/puppet.ts";
import { poolNames, spawn, Spawner, startPool } from "../../../testing/spawner.ts";

/** Handles a message when it is told to. */
class Gate extends Agent {
  static open: (() => void)[] = [];
  static handled: unknown[] = [];

  override async handle({ payload }: Message): Promise<JsonObject> {
    await new Promise<void>((resolve) => void Gate.open.push(resolve));
    Gate.handled.push(payload["n"]);
    return { n: payload["n"] ?? null };
  }

  override onStop(): void {
    Gate.handled.push("stop");
  }
}

const stopped = { code: "AGENTRT_AGENT_STOPPED" };

async function startGate(simulation: Awaited<ReturnType<typeof startPool>>) {
  Gate.open = [];
  Gate.handled = [];
  const { runtime } = simulation;
  await simulation.until(runtime.spawn(Gate, "gate"));
  const calls = [1, 2, 3].map((n) => runtime.call("gate", { n }));
  const outcomes = Promise.allSettled(calls);
  await simulation.runUntilIdle();
  return { runtime, outcomes };
}

const codesOf = (outcomes: PromiseSettledResult<JsonObject>[]): unknown[] =>
  outcomes.map((outcome) =>
    outcome.status === "fulfilled" ? outcome.value["n"] : (outcome.reason as { code: string }).code,
  );

test("despawn does not wait for the message at hand; onStop runs, queued calls fail, casts are counted", async () => {
  await using simulation = await startPool();
  const { runtime, outcomes } = await startGate(simulation);
  await simulation.until(runtime.cast("gate", { n: 4 }));
  const droppedBefore = runtime.snapshot().dropped.stopped;
  const beforeMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.until(runtime.despawn("gate")), { lateNames: [] });
  assert.equal(simulation.clock.monotonicMs(), beforeMs);
  assert.deepEqual(codesOf(await outcomes), [stopped.code, stopped.code, stopped.code]);
  assert.equal(runtime.snapshot().dropped.stopped - droppedBefore, 4);
  assert.deepEqual(Gate.handled, ["stop"]);
  // What the handler does afterwards has no effect.
  Gate.open[0]?.();
  await simulation.runUntilIdle();
  assert.equal(runtime.registry.get("gate"), undefined);
});

test('stopChild with drain "current" finishes the message at hand and refuses the rest', async () => {
  await using simulation = await startPool();
  const { runtime, outcomes } = await startGate(simulation);
  const gone = runtime.stopChild("gate");
  await simulation.runUntilIdle();
  await assert.rejects(simulation.call("gate", {}), stopped);
  Gate.open[0]?.();
  assert.deepEqual(await simulation.until(gone), { lateNames: [] });
  assert.deepEqual(codesOf(await outcomes), [1, stopped.code, stopped.code]);
  assert.deepEqual(Gate.handled, [1, "stop"]);
});

test('stopChild with drain "all" handles what is queued, while nothing new is taken', async () => {
  await using simulation = await startPool();
  const { runtime, outcomes } = await startGate(simulation);
  const gone = runtime.stopChild("gate", { drain: "all" });
  for (let index = 0; index < 3; index += 1) {
    await simulation.runUntilIdle();
    await assert.rejects(simulation.call("gate", {}), stopped);
    Gate.open[index]?.();
  }
  assert.deepEqual(await simulation.until(gone), { lateNames: [] });
  assert.deepEqual(codesOf(await outcomes), [1, 2, 3]);
  assert.deepEqual(Gate.handled, [1, 2, 3, "stop"]);
});

test('drain "all" of a child that is idle ends it at once; of one that crashes, it ends with the crash', async () => {
  await using simulation = await startPool();
  const { runtime } = simulation;
  await spawn(simulation, "w");
  assert.deepEqual(await simulation.until(runtime.stopChild("w", { drain: "all" })), {
    lateNames: [],
  });
  await spawn(simulation, "w");
  const crashing = runtime.cast("w", { crash: "now" });
  const waiting = assert.rejects(runtime.call("w", {}), stopped);
  const gone = runtime.stopChild("w", { drain: "all" });
  await simulation.until(Promise.all([crashing, waiting, gone]));
  assert.deepEqual(poolNames(simulation), []);
  assert.deepEqual(Spawner.heard, ["boss: w clean_exit", "boss: w clean_exit"]);
});

for (const drain of ["current", "all"] as const) {
  test(`a stop with drain "${drain}" that takes too long abandons the child, by name`, async () => {
    await using simulation = await startPool();
    const { runtime, outcomes } = await startGate(simulation);
    const beforeMs = simulation.clock.monotonicMs();
    const gone = runtime.stopChild("gate", { drain, timeoutMs: 500 });
    assert.deepEqual(await simulation.until(gone), { lateNames: ["gate"] });
    assert.equal(simulation.clock.monotonicMs() - beforeMs, 500);
    assert.deepEqual(codesOf(await outcomes), [stopped.code, stopped.code, stopped.code]);
    assert.equal((await spawn(simulation, "gate"))["isReady"], true);
  });
}

test("a despawn hurries a soft stop that is under way, and both are answered", async () => {
  await using simulation = await startPool();
  const { runtime, outcomes } = await startGate(simulation);
  const soft = runtime.stopChild("gate", { drain: "all" });
  await simulation.runUntilIdle();
  const beforeMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.until(runtime.despawn("gate")), { lateNames: [] });
  assert.deepEqual(await simulation.until(soft), { lateNames: [] });
  assert.equal(simulation.clock.monotonicMs(), beforeMs);
  assert.deepEqual(codesOf(await outcomes), [stopped.code, stopped.code, stopped.code]);
});

test("a child that stops itself does not wait for itself", async () => {
  class Worker extends Agent {
    override async handle(): Promise<JsonObject> {
      const { lateNames } = await this.stopChild(this.name);
      return { lateNames: [...lateNames] };
    }
  }
  await using simulation = await startPool({ restart: "permanent" });
  await simulation.until(simulation.runtime.spawn(Worker, "w"));
  assert.deepEqual(await simulation.call("w", {}), { lateNames: [] });
  assert.deepEqual(poolNames(simulation), []);
});

test("the name of a child that ended is free at once, also for the next spawn in line", async () => {
  await using simulation = await startPool();
  const { runtime } = simulation;
  await spawn(simulation, "w");
  const gone = runtime.despawn("w");
  await simulation.until(gone);
  const again = simulation.until(runtime.spawn(Puppet, "w"));
  assert.equal((await again).isExisting, false);
});

test("a child of the same name begins after what the one before it still writes, and not suspended", async () => {
  const releases: (() => void)[] = [];
  class SlowStore extends MemoryStateStore {
    override async set(agent: string, state: JsonObject): Promise<void> {
      await new Promise<void>((resolve) => void releases.push(resolve));
      await super.set(agent, state);
    }
  }
  class Saver extends Agent {
    override handle({ payload }: Message): JsonObject {
      if (typeof payload["n"] === "number") {
        this.state["n"] = payload["n"];
        this.checkpoint().catch(() => undefined);
      }
      return { n: this.state["n"] ?? null };
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [dynamicSupervisor("pool")] }),
    state: new SlowStore(),
  });
  await simulation.start();
  const { runtime } = simulation;
  await simulation.until(runtime.spawn(Saver, "w", {}, { keepState: true }));
  await simulation.call("w", { n: 7 });
  await simulation.until(runtime.despawn("w"));
  const again = runtime.spawn(Saver, "w", {}, { keepState: true });
  await simulation.runUntilIdle();
  const pool = () => runtime.tree().children[0];
  const statuses = () =>
    JSON.stringify(pool()?.kind === "supervisor" ? pool() : {}).match(/"status":"\w+"/g);
  assert.deepEqual(statuses(), ['"status":"RUNNING"', '"status":"INITIALIZING"']);
  releases.shift()?.();
  await simulation.until(again);
  assert.deepEqual(await simulation.call("w", {}), { n: 7 });
  const release = async (): Promise<void> => {
    await simulation.runUntilIdle();
    for (const resolve of releases.splice(0)) resolve();
    await simulation.runUntilIdle();
  };
  const suspended = runtime.suspend("w", { reason: "lunch" });
  await release();
  await simulation.until(suspended);
  const gone = runtime.despawn("w");
  await release();
  await simulation.until(gone);
  const fresh = runtime.spawn(Saver, "w", {}, { keepState: true });
  await release();
  await simulation.until(fresh);
  assert.deepEqual(statuses(), ['"status":"RUNNING"', '"status":"RUNNING"']);
  assert.deepEqual(await simulation.call("w", {}), { n: 7 });
});
