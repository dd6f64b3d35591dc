/** What holds for a child of the declared tree holds for a spawned one, and a spawn that fails leaves nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, Message, Tracer } from "../../index.ts";
import { Agent, child, dynamicSupervisor, supervisor } from "../../index.ts";
import { forEachSeed, Simulation } from "../../../testing/index.ts";
import { Puppet } from "../../../testing/puppet.ts";
import { poolNames, spawn, startPool } from "../../../testing/spawner.ts";

/** Counts its messages, and asks another one when it is told to. */
class Worker extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    if (payload["crash"] === true) throw new RangeError("as told");
    const { ask } = payload;
    if (typeof ask === "string") return await this.call(ask, {});
    this.log.warn("handled", { agentName: this.name });
    return { by: this.name };
  }
}

test("a spawned child is counted, traced, logged and told of like a declared one", async () => {
  const spans: string[] = [];
  const tracer: Tracer = {
    addMessageSpan: ({ recipient }, { name }) => void spans.push(`${recipient}: ${name}`),
    isSampled: () => true,
    startSpan: () => ({
      point: { trace: 1, span: 1 },
      traceparent: "",
      rename: () => undefined,
      set: () => undefined,
      end: () => undefined,
    }),
  };
  await using simulation = new Simulation({
    tracer,
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [child(Worker, "declared"), dynamicSupervisor("pool")],
    }),
  });
  await simulation.start();
  const { runtime } = simulation;
  await simulation.until(runtime.spawn(Worker, "spawned", {}, { capabilities: ["work"] }));
  const crashes: string[] = [];
  runtime.onCrash((name) => void crashes.push(name));
  const eventsOf: { [name: string]: string[] } = {};
  const spansOf: { [name: string]: string[] } = {};
  for (const name of ["declared", "spawned"]) {
    spans.length = 0;
    simulation.events.take();
    await simulation.call(name, {});
    await simulation.call(name, { ask: name === "declared" ? "spawned" : "declared" });
    await assert.rejects(simulation.call(name, { crash: true }), { code: "AGENTRT_AGENT_CRASHED" });
    await simulation.runUntilIdle();
    spansOf[name] = spans.map((span) =>
      span.replace(/^declared|^spawned/, (who) => (who === name ? "X" : "other")),
    );
    eventsOf[name] = simulation.events.lines.map((line) =>
      line
        .replace(/^[\d.]+ /, "")
        .replaceAll(name, "X")
        .replace(/root\/|pool\//, "supervisor/"),
    );
    assert.ok(simulation.logLines.some((line) => line.includes(`agentName=${name}`)));
  }
  const isOfAgent = (line: string): boolean => line.startsWith("agent.");
  const declaredEvents = eventsOf["declared"]?.filter(isOfAgent) ?? [];
  assert.ok(declaredEvents.length > 1);
  assert.deepEqual(eventsOf["spawned"]?.filter(isOfAgent), declaredEvents);
  assert.deepEqual(crashes, ["declared", "spawned"]);
  assert.ok(spansOf["declared"]?.includes("X: agentrt.agent.handle"), spans.join("\n"));
  assert.deepEqual(spansOf["spawned"], spansOf["declared"]);
  const { agents, restartHistory } = runtime.snapshot();
  const none = { avgLatencyMs: 0, latencySumMs: 0 };
  const { avgLatencyMs: _, latencySumMs: _sum, ...declared } = agents["declared"] ?? none;
  const { avgLatencyMs: __, latencySumMs: __sum, ...spawned } = agents["spawned"] ?? none;
  assert.equal((declared as { messagesHandled?: number }).messagesHandled, 3);
  assert.deepEqual(spawned, declared);
  assert.deepEqual(
    restartHistory.map(({ agent, reason }) => [agent, reason]),
    [
      ["declared", "RangeError"],
      ["spawned", "RangeError"],
    ],
  );
  const pool = runtime.tree().children.find(({ name }) => name === "pool");
  assert.ok(pool?.kind === "supervisor");
  assert.deepEqual(
    pool.children.map(({ name, status, restartCount }) => [name, status, restartCount]),
    [["spawned", "RUNNING", 1]],
  );
});

test("the first message to a spawned child is not lost, whether its spawner waited for the start or not", async () => {
  const handled: string[] = [];
  class Slow extends Agent {
    override async onStart(): Promise<void> {
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      handled.push(`${this.name} started`);
    }
    override handle({ payload }: Message): JsonObject {
      handled.push(`${this.name} ${JSON.stringify(payload["n"])}`);
      return { n: payload["n"] ?? null };
    }
  }
  class Parent extends Agent {
    override async handle({ payload }: Message): Promise<JsonObject> {
      const { name } = payload as { name: string };
      await this.spawn(Slow, name, {}, { wait: payload["wait"] === true });
      await this.cast(name, { n: 1 });
      return await this.call(name, { n: 2 });
    }
  }
  await forEachSeed({ count: 20 }, async (seed) => {
    for (const wait of [true, false]) {
      handled.length = 0;
      await using simulation = new Simulation({
        seed,
        supervision: supervisor("root", {
          children: [dynamicSupervisor("pool"), child(Parent, "parent")],
        }),
      });
      await simulation.start();
      assert.deepEqual(await simulation.call("parent", { name: "w", wait }), { n: 2 });
      assert.deepEqual(handled, ["w started", "w 1", "w 2"]);
    }
  });
});

test("spawns that are refused or fail leave no name, tag, child or timer behind", async () => {
  await using simulation = await startPool({
    spawnerAllowlist: ["boss", "_runtime"],
    onSpawnRequested: (_class, name) => name !== "vetoed",
  });
  const { runtime, clock } = simulation;
  const look = () => ({
    names: runtime.registry
      .list()
      .map(({ name }) => name)
      .toSorted(),
    holders: runtime.registry.withCapability("work").length,
    children: poolNames(simulation),
    timerCount: clock.timerCount,
  });
  await simulation.advance(60_000);
  const before = look();
  const options = { capabilities: ["work"], startTimeoutMs: 1000 };
  for (let round = 0; round < 20; round += 1) {
    Puppet.failingStarts.set("w", 1);
    const failed = await spawn(simulation, "w", { options });
    assert.equal(failed["refused"], "AGENTRT_SPAWN_START_FAILED");
    const vetoed = await spawn(simulation, "vetoed", { options });
    assert.equal(vetoed["refused"], "AGENTRT_SPAWN_VETOED");
    const foreign = await spawn(simulation, "v", { options, by: "clerk" });
    assert.equal(foreign["refused"], "AGENTRT_SPAWN_SPAWNER_NOT_ALLOWED");
    Puppet.hangingStarts.add("h");
    const hung = await spawn(simulation, "h", { options });
    assert.equal(hung["refused"], "AGENTRT_SPAWN_START_FAILED");
    Puppet.hangingStarts.delete("h");
  }
  await simulation.advance(60_000);
  assert.deepEqual(look(), before);
  assert.equal((await spawn(simulation, "w", { options }))["isReady"], true);
});

test("every limit of an agent may be set by the spawn", async () => {
  await using simulation = await startPool();
  const { runtime } = simulation;
  const hangs = class extends Worker {
    override async onStop(): Promise<void> {
      await new Promise(() => undefined);
    }
  };
  const options = { concurrency: 3, mailboxLengthMax: 7, shutdownTimeoutMs: 50 };
  await simulation.until(runtime.spawn(hangs, "one", {}, options));
  const pool = runtime.tree().children.find(({ name }) => name === "pool");
  const [one] = pool?.kind === "supervisor" ? pool.children : [];
  assert.equal(one?.kind === "agent" && one.concurrency, 3);
  assert.equal(runtime.registry.get("one")?.address?.mailboxLengthMax, 7);
  const beforeMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.until(runtime.despawn("one")), { lateNames: ["one"] });
  assert.equal(simulation.clock.monotonicMs() - beforeMs, 50);
});
