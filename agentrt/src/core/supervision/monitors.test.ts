/** Agents that watch others: one call each time that one goes down, with what its supervisor has decided. */
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  Agent,
  type AgentDown,
  type ChildSpec,
  child,
  dynamicSupervisor,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
} from "../index.ts";
import { Simulation } from "../../testing/index.ts";

const heard: (AgentDown | string)[] = [];
let clock: Simulation;

/** Watches what it is told to, from its start or on request. */
class Watcher extends Agent {
  static ends: (() => void)[] = [];
  static fromStart: readonly string[] = [];

  override onStart(): void {
    for (const name of Watcher.fromStart) this.watch(name);
  }

  override async handle({ payload }: Message): Promise<JsonObject> {
    const {
      watch,
      count = 1,
      sleepMs,
      suspend,
    } = payload as {
      watch?: string;
      count?: number;
      sleepMs?: number;
      suspend?: boolean;
    };
    if (watch !== undefined) {
      for (let at = 0; at < count; at += 1) Watcher.ends.push(this.watch(watch));
    }
    if (sleepMs !== undefined) await clock.sleep(sleepMs);
    if (suspend === true) await this.suspendForApproval("look");
    heard.push("message");
    return {};
  }

  override onDown(down: AgentDown): void {
    heard.push(down);
  }
}

class Worker extends Agent {
  static failsToStart = false;
  override onStart(): void {
    if (Worker.failsToStart) throw new RangeError("no start");
  }
  override async handle({ payload }: Message): Promise<JsonObject> {
    if (payload["crash"] === true) throw new RangeError("as told");
    if (payload["stop"] === true) throw new Error("stop");
    return {};
  }
  override onError(_error: unknown, { payload }: Message) {
    return payload["stop"] === true ? ("stop" as const) : ("escalate" as const);
  }
}

async function simulate(
  children: readonly ChildSpec[],
  options: { readonly restartCountMax?: number } = {},
): Promise<Simulation> {
  heard.length = 0;
  Watcher.ends = [];
  Watcher.fromStart = [];
  Worker.failsToStart = false;
  const { restartCountMax = 3 } = options;
  clock = new Simulation({
    supervision: supervisor("root", {
      restartCountMax,
      backoff: "CONSTANT",
      backoffBaseMs: 1000,
      children: [child(Watcher, "watcher"), ...children],
    }),
  });
  await clock.start();
  return clock;
}

const watch = (name: string): Promise<JsonObject> => clock.call("watcher", { watch: name });

async function crash(name: string): Promise<void> {
  await assert.rejects(clock.until(clock.runtime.call(name, { crash: true })));
  await clock.runUntilIdle();
}

/** What was heard since the last look, without the messages. */
function takeDowns(): string[] {
  const downs = heard.filter((each) => typeof each !== "string");
  heard.length = 0;
  return downs.map(
    ({ name, reason, willRestart }) =>
      `${name} ${willRestart ? "will restart" : "is gone"}: ${reason}`,
  );
}

test("a crash is told once, with whether a restart follows, and not to who watches after the restart", async () => {
  await using simulation = await simulate([child(Worker, "worker")], { restartCountMax: 1 });
  await crash("worker");
  await simulation.advance(1000);
  await watch("worker");
  assert.deepEqual(takeDowns(), []);
  await crash("worker");
  assert.deepEqual(takeDowns(), ["worker is gone: as told"]);
  await simulation.advance(100_000);
  assert.deepEqual(takeDowns(), []);
});

test("who watches what is down already is told at once, once, and again after a restart", async () => {
  await using simulation = await simulate([child(Worker, "worker")]);
  const { runtime } = simulation;
  await crash("worker");
  await watch("worker");
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), ["worker will restart: as told"]);
  await simulation.advance(1000);
  await runtime.stopAgent("worker");
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), ["worker is gone: stopped"]);
  await watch("worker");
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), ["worker is gone: stopped"]);
  await simulation.until(runtime.restart("worker"));
  await assert.rejects(simulation.until(runtime.call("worker", { stop: true })));
  await simulation.runUntilIdle();
  assert.deepEqual(
    takeDowns(),
    ["worker is gone: stopped", "worker is gone: stopped"],
    "two watch",
  );
});

test("each start that fails is told, and that the agent is given up at last", async () => {
  await using simulation = await simulate([child(Worker, "worker")], { restartCountMax: 2 });
  await watch("worker");
  Worker.failsToStart = true;
  await crash("worker");
  await simulation.advance(10_000);
  assert.deepEqual(takeDowns(), [
    "worker will restart: as told",
    "worker will restart: no start",
    "worker is gone: no start",
  ]);
});

test("a supervisor that fails leaves the decision to the one above it, for all that it takes along", async () => {
  const inner = supervisor("inner", {
    restartCountMax: 0,
    children: [child(Worker, "one"), child(Worker, "two")],
  });
  await using simulation = await simulate([inner], { restartCountMax: 1 });
  for (const name of ["one", "two", "inner"]) await watch(name);
  await crash("one");
  assert.deepEqual(
    takeDowns().map((each) => each.replace(/:.*inner.*/, ": budget")),
    ["one will restart: as told", "two will restart: stopped", "inner will restart: budget"],
  );
  await simulation.advance(1000);
  await crash("two");
  assert.deepEqual(
    takeDowns().map((each) => each.replace(/:.*inner.*/, ": budget")),
    ["one is gone: stopped", "two is gone: as told", "inner is gone: budget"],
  );
});

test("siblings that a restart takes along are told of as stopped, and come back", async () => {
  const inner = supervisor("inner", {
    strategy: "ONE_FOR_ALL",
    backoffBaseMs: 0,
    children: [child(Worker, "one"), child(Worker, "two")],
  });
  await using simulation = await simulate([inner]);
  for (const name of ["one", "two"]) await watch(name);
  await crash("one");
  await simulation.advance(1);
  assert.deepEqual(takeDowns(), ["one will restart: as told", "two will restart: stopped"]);
});

test("a spawned child that is gone is told of, and frees the place of its watch", async () => {
  await using simulation = await simulate([dynamicSupervisor("spawner", { restart: "transient" })]);
  const { runtime } = simulation;
  for (let round = 0; round < 3; round += 1) {
    await simulation.until(runtime.spawn(Worker, "guest"));
    await simulation.call("watcher", { watch: "guest", count: 1000 });
    await assert.rejects(watch("guest"), /watches 1000 already/);
    await simulation.advance(1000);
    // The watcher crashed over the error, and its watches are over.
    await simulation.call("watcher", { watch: "guest", count: 1000 });
    await crash("guest");
    assert.deepEqual(new Set(takeDowns()), new Set(["guest will restart: as told"]));
    await simulation.until(runtime.despawn("guest"));
    await simulation.runUntilIdle();
    const downs = takeDowns();
    assert.deepEqual([downs.length, new Set(downs)], [1000, new Set(["guest is gone: stopped"])]);
    await assert.rejects(watch("guest"), /no agent or supervisor of the tree has that name/);
    await simulation.advance(100_000);
  }
});

test("a watch ends with its function, and with the incarnation that watches", async () => {
  await using simulation = await simulate([child(Worker, "worker")], { restartCountMax: 100 });
  await watch("worker");
  Watcher.ends[0]?.();
  await crash("worker");
  assert.deepEqual(takeDowns(), []);
  await simulation.advance(1000);
  await watch("worker");
  await simulation.crash("watcher");
  await simulation.advance(1000);
  await crash("worker");
  assert.deepEqual(takeDowns(), []);
  await simulation.advance(1000);
  // One that was told, and has not heard of it.
  await watch("worker");
  const busy = simulation.runtime.call("watcher", { sleepMs: 500 });
  await simulation.runUntilIdle();
  await crash("worker");
  Watcher.ends.at(-1)?.();
  await simulation.until(busy);
  assert.deepEqual(takeDowns(), []);
});

test("onDown runs between two messages, and for a suspended agent when it goes on", async () => {
  await using simulation = await simulate([child(Worker, "worker")]);
  const { runtime } = simulation;
  await watch("worker");
  const first = runtime.call("watcher", { sleepMs: 500 });
  const second = runtime.call("watcher", { suspend: true });
  await simulation.runUntilIdle();
  await crash("worker");
  heard.length = 0;
  await simulation.until(Promise.all([first, second]));
  const down = { name: "worker", reason: "as told", willRestart: true };
  assert.deepEqual(heard, ["message", down, "message"]);
  await simulation.advance(1000);
  await crash("worker");
  assert.equal(heard.length, 3);
  await simulation.until(runtime.resume("watcher", { approver: "ada" }));
  await simulation.runUntilIdle();
  assert.deepEqual(heard.slice(3), [down]);
});

test("a pool is watched as one, its members by their names, and what has no name is refused", async () => {
  const children = [pool(Worker, "writer", { size: 2 }), keyed(Worker, "ticket")];
  await using simulation = await simulate(children);
  for (const name of ["writer", "writer/1", "ticket"]) await watch(name);
  await simulation.until(simulation.runtime.restart("writer"));
  await simulation.advance(1000);
  const downs = takeDowns().map((each) => each.replace(/:.*restart.*/, ": on request"));
  assert.deepEqual(downs, ["writer/1 will restart: stopped", "writer will restart: on request"]);
  await assert.rejects(watch("nobody"), /no agent or supervisor of the tree has that name/);
});

test("a stop of the whole tree tells nobody who is stopped himself", async () => {
  const simulation = await simulate([child(Worker, "worker")]);
  await watch("worker");
  await simulation.stop();
  assert.deepEqual(takeDowns(), []);
});
