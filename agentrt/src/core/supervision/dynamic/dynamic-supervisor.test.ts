import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, Message, RestartStrategy } from "../../index.ts";
import { Agent, child, dynamicSupervisor, supervisor } from "../../index.ts";
import { crash, Puppet, puppet, simulate } from "../../../testing/puppet.ts";
import { poolNames, spawn, Spawner, startPool } from "../../../testing/spawner.ts";

test("a spawned child runs, answers, is in tree and registry, and its spawner hears of its end", async () => {
  await using simulation = await startPool();
  const report = await spawn(simulation, "w1", { config: { a: 1 } });
  assert.deepEqual(report, { name: "w1", supervisor: "pool", isReady: true, isExisting: false });
  assert.deepEqual(await simulation.call("w1", {}), { name: "w1" });
  assert.deepEqual(poolNames(simulation), ["w1"]);
  assert.deepEqual(await simulation.call("boss", { op: "despawn", name: "w1" }), { lateNames: [] });
  assert.deepEqual(poolNames(simulation), []);
  await assert.rejects(simulation.call("w1", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
  assert.deepEqual(Spawner.heard, ["boss: w1 despawned"]);
  assert.deepEqual(Puppet.trace.slice(-2), ["start w1", "stop w1"]);
});

// Restart modes.

const ended = { config: { onError: "stop" } };
for (const [restart, how, outcome] of [
  ["permanent", "ends", "restarted"],
  ["permanent", "crashes", "restarted"],
  ["transient", "ends", "clean_exit"],
  ["transient", "crashes", "restarted"],
  ["temporary", "ends", "clean_exit"],
  ["temporary", "crashes", "running: crash"],
  ["never", "crashes", "running: crash"],
] as const) {
  test(`a ${restart} child that ${how}: ${outcome}`, async () => {
    await using simulation = await startPool({ restart });
    await spawn(simulation, "w", how === "ends" ? ended : {});
    await crash(simulation, "w");
    if (outcome === "restarted") {
      assert.deepEqual(await simulation.call("w", {}), { name: "w" });
      assert.deepEqual(Spawner.heard, []);
      assert.deepEqual(Puppet.trace.slice(-3), ["start w", "stop w", "start w"]);
    } else {
      assert.deepEqual(poolNames(simulation), []);
      assert.deepEqual(Spawner.heard, [`boss: w ${outcome}`]);
    }
  });
}

for (const restart of ["permanent", "transient", "temporary"] as const) {
  test(`the first start of a ${restart} child that fails is final, and told to who waits alone`, async () => {
    await using simulation = await startPool({ restart });
    Puppet.failingStarts.set("w", 1);
    assert.deepEqual(await spawn(simulation, "w"), {
      refused: "AGENTRT_SPAWN_START_FAILED",
      details: { child: "w", supervisor: "pool", phase: "on_start", reason: "w does not start" },
    });
    assert.deepEqual([poolNames(simulation), Spawner.heard], [[], []]);
    assert.equal(simulation.runtime.registry.get("w"), undefined);
    // The name is free, and the spawner that did not wait is told.
    Puppet.failingStarts.set("w", 1);
    const hasty = await spawn(simulation, "w", { options: { wait: false } });
    assert.equal(hasty["isReady"], false);
    await simulation.runUntilIdle();
    assert.deepEqual(Spawner.heard, ["boss: w on_start: w does not start"]);
    assert.equal((await spawn(simulation, "w"))["isReady"], true);
  });
}

test("a start that fails while the child restarts is one more crash of its budget", async () => {
  await using simulation = await startPool({ restartCountMax: 2 });
  await spawn(simulation, "w");
  Puppet.failingStarts.set("w", 1);
  await crash(simulation, "w");
  assert.deepEqual(await simulation.call("w", {}), { name: "w" });
  Puppet.failingStarts.set("w", 5);
  await crash(simulation, "w");
  assert.deepEqual(poolNames(simulation), []);
  assert.deepEqual(Spawner.heard, ["boss: w restarts_exhausted"]);
});

test("each child has its own budget, crashes age out of it, and nothing is escalated", async () => {
  await using simulation = await startPool({ restartCountMax: 1, restartWindowMs: 1000 });
  for (const name of ["a", "b", "c"]) {
    await spawn(simulation, name);
    await crash(simulation, name);
  }
  assert.deepEqual(poolNames(simulation), ["a", "b", "c"]);
  await simulation.advance(1000);
  await crash(simulation, "a");
  await crash(simulation, "a");
  assert.deepEqual(poolNames(simulation), ["b", "c"]);
  const { runtime } = simulation;
  assert.deepEqual([runtime.health().status, runtime.tree().crashesInWindow], ["ok", 0]);
});

test("a restart begins at once, keeps queue, registration and checkpoint, and is a new object", async () => {
  class Counter extends Agent {
    #objectCount = 0;
    override async handle(message: Message): Promise<JsonObject> {
      if (message.payload["crash"] === true) throw new Error("crash");
      this.#objectCount += 1;
      this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      await this.checkpoint();
      return { inObject: this.#objectCount, inState: this.state["count"] };
    }
  }
  await using simulation = await startPool();
  const { runtime } = simulation;
  const spawnCounter = () =>
    simulation.until(runtime.spawn(Counter, "w", {}, { capabilities: ["count"] }));
  await spawnCounter();
  await simulation.call("w", {});
  const beforeMs = simulation.clock.monotonicMs();
  const crashing = runtime.cast("w", { crash: true });
  const queued = runtime.call("w", {});
  await simulation.until(crashing);
  assert.deepEqual(await simulation.until(queued), { inObject: 1, inState: 2 });
  assert.equal(simulation.clock.monotonicMs(), beforeMs);
  const [holder] = runtime.registry.withCapability("count");
  assert.equal(holder?.name, "w");
  // The child takes its checkpoint along: the next one of that name begins anew.
  await simulation.until(runtime.despawn("w"));
  assert.deepEqual(runtime.registry.withCapability("count"), []);
  await spawnCounter();
  assert.deepEqual(await simulation.call("w", {}), { inObject: 1, inState: 1 });
});

test("a start that hangs keeps neither other starts, nor other stops, nor its own despawn waiting", async () => {
  await using simulation = await startPool();
  Puppet.hangingStarts.add("slow");
  const { runtime } = simulation;
  const slow = assert.rejects(runtime.spawn(Puppet, "slow", {}, { timeoutMs: 20_000 }), {
    code: "AGENTRT_SPAWN_START_FAILED",
    message: /despawned/,
  });
  await simulation.runUntilIdle();
  const beforeMs = simulation.clock.monotonicMs();
  assert.equal((await spawn(simulation, "quick"))["isReady"], true);
  assert.deepEqual(await simulation.call("boss", { op: "despawn", name: "quick" }), {
    lateNames: [],
  });
  assert.deepEqual(await simulation.call("boss", { op: "despawn", name: "slow" }), {
    lateNames: [],
  });
  await simulation.until(slow);
  assert.equal(simulation.clock.monotonicMs(), beforeMs);
  assert.deepEqual(Puppet.trace.slice(-1), ["stop slow"]);
});

test("a spawn whose wait is over leaves its child starting, and is told when that fails", async () => {
  await using simulation = await startPool();
  Puppet.hangingStarts.add("slow");
  const options = { timeoutMs: 1000, startTimeoutMs: 5000 };
  const { refused, details } = await spawn(simulation, "slow", { options });
  assert.equal(refused, "AGENTRT_SPAWN_TIMEOUT");
  assert.equal((details as JsonObject)["waitsFor"], "its start");
  assert.deepEqual(poolNames(simulation), ["slow"]);
  await simulation.advance(5000);
  assert.deepEqual(poolNames(simulation), []);
  assert.match(Spawner.heard.join(), /^boss: slow on_start: .*did not end within 5000 ms$/);
});

// Notices.

test("a notice comes before waiting messages, survives a crash of the spawner, and dies with it", async () => {
  const heard: string[] = [];
  class Parent extends Agent {
    override async handle({ payload }: Message): Promise<void> {
      const { spawn: wanted } = payload;
      if (typeof wanted === "string") await this.spawn(Puppet, wanted);
      else if (payload["crash"] === true) throw new Error("crash");
      else heard.push("message");
    }
    override onChildTerminated(name: string): void {
      heard.push(`end of ${name}`);
    }
  }
  await using simulation = await startPool();
  const { runtime } = simulation;
  await simulation.until(runtime.spawn(Parent, "parent"));
  for (const name of ["a", "b"]) await simulation.call("parent", { spawn: name });
  const casts = [runtime.cast("parent", { crash: true }), runtime.cast("parent", {})];
  const gone = runtime.despawn("a");
  await simulation.until(Promise.all([...casts, gone]));
  assert.deepEqual([...heard].sort(), ["end of a", "message"]);
  heard.length = 0;
  // Another agent that takes the spawner's name later did not spawn that child.
  await simulation.until(runtime.despawn("parent"));
  await simulation.until(runtime.spawn(Parent, "parent"));
  await simulation.until(runtime.despawn("b"));
  await simulation.runUntilIdle();
  assert.deepEqual(heard, []);
});

test("the default of onChildTerminated logs a warning; a hook that throws crashes its agent", async () => {
  class Mother extends Agent {
    override async onStart(): Promise<void> {
      await this.spawn(Puppet, `${this.name}-child`, {}, { token: "one" });
    }
    override handle(_message: Message): void {}
  }
  class Strict extends Mother {
    override onChildTerminated(): void {
      throw new Error("not my child");
    }
  }
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 0,
      children: [dynamicSupervisor("pool"), child(Mother, "m"), child(Strict, "s")],
    }),
  );
  for (const name of ["m-child", "s-child"]) {
    await simulation.until(simulation.runtime.despawn(name));
  }
  await simulation.runUntilIdle();
  assert.ok(simulation.logLines.some((line) => /spawned child is gone .*child=m-child/.test(line)));
  const nodes = simulation.runtime.tree().children;
  assert.deepEqual(
    nodes.map(({ name, restartCount }) => [name, restartCount]),
    [
      ["pool", 0],
      ["m", 0],
      ["s", 1],
    ],
  );
});

// Within the tree.

for (const strategy of ["ONE_FOR_ALL", "REST_FOR_ONE"] as const satisfies RestartStrategy[]) {
  test(`a dynamic supervisor that its ${strategy} parent restarts begins empty, and spawners are told`, async () => {
    await using simulation = await simulate(
      supervisor("root", {
        children: [
          child(Spawner, "boss"),
          supervisor("group", {
            strategy,
            backoffBaseMs: 0,
            children: [puppet("first"), dynamicSupervisor("pool", { spawnCountMax: 3 })],
          }),
        ],
      }),
    );
    Spawner.heard = [];
    const options = { shutdownTimeoutMs: 1000 };
    for (const name of ["a", "b"]) await spawn(simulation, name, { options });
    const queued = simulation.runtime.call("a", { hang: true });
    const failed = assert.rejects(queued, { code: "AGENTRT_AGENT_STOPPED" });
    await simulation.runUntilIdle();
    await crash(simulation, "first");
    await simulation.until(failed);
    const [, group] = simulation.runtime.tree().children;
    const pool = group?.kind === "supervisor" ? group.children[1] : undefined;
    assert.ok(pool?.kind === "supervisor");
    assert.deepEqual([pool.status, pool.restartCount, pool.children.length], ["RUNNING", 1, 0]);
    assert.deepEqual(Spawner.heard.toSorted(), [
      "boss: a supervisor_stopped",
      "boss: b supervisor_stopped",
    ]);
    // The count of its life goes on.
    assert.equal((await spawn(simulation, "a"))["isReady"], true);
    assert.equal((await spawn(simulation, "b"))["refused"], "AGENTRT_SPAWN_SPAWNS_EXHAUSTED");
  });
}

test("a stop in the middle of a failing restart is served at once", async () => {
  await using simulation = await startPool({ restartCountMax: 1_000_000 });
  await spawn(simulation, "w");
  Puppet.failingStarts.set("w", Number.POSITIVE_INFINITY);
  simulation.runtime.cast("w", { crash: "now" }).catch(() => undefined);
  const gone = simulation.until(simulation.runtime.despawn("w"));
  assert.deepEqual(await gone, { lateNames: [] });
  assert.deepEqual(poolNames(simulation), []);
  Puppet.failingStarts.clear();
  assert.equal((await spawn(simulation, "w"))["isReady"], true);
});

test("a shutdown stops all children at once, within its deadline, and names who was late", async () => {
  const simulation = await startPool();
  const names = Array.from({ length: 20 }, (_, index) => `w${index}`);
  for (const name of names) await spawn(simulation, name, { config: { hangs: true } });
  const beforeMs = simulation.clock.monotonicMs();
  const { lateNames } = await simulation.stop({ timeoutMs: 1000 });
  assert.deepEqual(Spawner.heard, [], "who stops itself need not be told");
  assert.deepEqual(lateNames.toSorted(), names.toSorted());
  assert.equal(simulation.clock.monotonicMs() - beforeMs, 1000);
  await simulation[Symbol.asyncDispose]();
});

test("children that spawn and end each other while all of them stop do not wait for each other", async () => {
  const codes: unknown[] = [];
  class Sibling extends Agent {
    override async onStop(): Promise<void> {
      const other = this.name === "a" ? "b" : "a";
      const outcomes = await Promise.allSettled([
        this.spawn(Puppet, `${this.name}-late`),
        this.stopChild("puppet"),
        ...(this.name === "a" ? [this.despawn(other)] : []),
      ]);
      for (const outcome of outcomes) {
        const isRefused = outcome.status === "rejected";
        codes.push(isRefused ? (outcome.reason as { code: string }).code : outcome.value);
      }
    }
    override handle(_message: Message): void {}
  }
  const simulation = await startPool();
  for (const name of ["a", "b"]) await simulation.until(simulation.runtime.spawn(Sibling, name));
  await spawn(simulation, "puppet");
  const beforeMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.stop(), { lateNames: [] });
  assert.equal(simulation.clock.monotonicMs(), beforeMs);
  const refused = "AGENTRT_SPAWN_SUPERVISOR_NOT_RUNNING";
  const done = { lateNames: [] };
  assert.deepEqual(
    codes.toSorted((one, other) =>
      typeof one < typeof other ? -1 : Number(typeof one > typeof other),
    ),
    [done, done, done, refused, refused],
  );
  await simulation[Symbol.asyncDispose]();
});

test("a supervisor answers to agentrt.supervision.status, dynamic or not, and to nothing else", async () => {
  await using simulation = await startPool({ restartCountMax: 5, restartWindowMs: 30_000 });
  await spawn(simulation, "w");
  await crash(simulation, "w");
  const options = { type: "agentrt.supervision.status" };
  assert.deepEqual(await simulation.call("pool", {}, options), {
    name: "pool",
    strategy: "ONE_FOR_ONE",
    max_restarts: 5,
    restart_window: 30,
    crashes_in_window: 1,
    children: [{ name: "w", kind: "agent", status: "RUNNING", restart_count: 1 }],
  });
  const { children } = await simulation.call("root", {}, options);
  assert.deepEqual(
    (children as JsonObject[]).map(({ name, kind }) => [name, kind]),
    [
      ["pool", "supervisor"],
      ["boss", "agent"],
      ["clerk", "agent"],
      ["static", "agent"],
    ],
  );
  await assert.rejects(simulation.call("pool", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
  await assert.rejects(simulation.cast("pool", {}, options), { code: "AGENTRT_BUS_NO_ROUTE" });
  await assert.rejects(simulation.call("static", {}, options), {
    code: "AGENTRT_BUS_RESERVED_TYPE",
  });
});

test("restart of a spawned child follows its policy; stopAgent ends it", async () => {
  await using simulation = await startPool();
  const { runtime } = simulation;
  await spawn(simulation, "w");
  await simulation.crash("w");
  assert.deepEqual(Puppet.trace.slice(-2), ["stop w", "start w"]);
  await simulation.until(runtime.stopAgent("w"));
  assert.deepEqual([poolNames(simulation), Spawner.heard], [[], ["boss: w clean_exit"]]);
  await assert.rejects(runtime.restart("w"), { code: "AGENTRT_SUPERVISION_UNKNOWN_NAME" });
});
