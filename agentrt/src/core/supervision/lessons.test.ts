/** What runtimes of this kind promised and did not do: one test for each case that no other file holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, Puppet, puppet, simulate } from "../../testing/puppet.ts";
import { poolNames, spawn, startPool } from "../../testing/spawner.ts";
import {
  Agent,
  child,
  dynamicSupervisor,
  keyed,
  EvalAgent,
  type EvalEvent,
  GenServer,
  type JsonObject,
  type Message,
  supervisor,
} from "../index.ts";

test("a stop hook that throws or hangs breaks neither the stop of the others nor its order", async () => {
  class Raising extends Puppet {
    override onStop(): void {
      Puppet.trace.push(`stop ${this.name}`);
      throw new Error("no wish to stop");
    }
  }
  const simulation = await simulate(
    supervisor("root", {
      children: [
        puppet("a"),
        child(Raising, "b"),
        puppet("c", { config: { hangs: true }, shutdownTimeoutMs: 500 }),
        puppet("d"),
      ],
    }),
  );
  Puppet.trace = [];
  const report = await simulation.until(simulation.runtime.stop());
  assert.deepEqual(Puppet.trace, ["stop d", "stop c", "stop b", "stop a"]);
  assert.deepEqual(report.lateNames, ["c"]);
  assert.equal(
    simulation.logLines.filter((line) => line.includes("no wish to stop")).length,
    1,
    "the failing hook is logged",
  );
});

test("a stop hook that throws after a crash does not keep the agent from being restarted", async () => {
  class Raising extends Puppet {
    override onStop(): void {
      throw new Error("no wish to stop");
    }
  }
  await using simulation = await simulate(
    supervisor("root", { backoffBaseMs: 0, children: [child(Raising, "a")] }),
  );
  await crash(simulation, "a");
  assert.deepEqual(await simulation.call("a", {}), { name: "a" });
});

const called = new Set<string>();

/** The hooks of a class: what it defines for others to override. */
function hooksOf(prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) =>
    /^(?:on|handle|redact)[A-Z]|^handle$/.test(name),
  );
}

class Everything extends Agent {
  override onPassivate(): void {
    called.add("onPassivate");
  }
  override onStart(): void {
    called.add("onStart");
  }
  override onStop(): void {
    called.add("onStop");
  }
  override onSuspend(): void {
    called.add("onSuspend");
  }
  override onResume(): void {
    called.add("onResume");
  }
  override onApproval(): void {
    called.add("onApproval");
  }
  override onCorrection(): void {
    called.add("onCorrection");
  }
  override onChildTerminated(): void {
    called.add("onChildTerminated");
  }
  override onDown(): void {
    called.add("onDown");
  }
  override onError() {
    called.add("onError");
    return "skip" as const;
  }
  override redactState(state: JsonObject): JsonObject {
    called.add("redactState");
    return state;
  }
  override async handle({ payload, type }: Message): Promise<JsonObject | undefined> {
    called.add("handle");
    if (type === "state") return undefined;
    if (payload["fail"] === true) throw new Error("as told");
    if (payload["spawn"] === true) {
      await this.spawn(Puppet, "short-lived");
      this.watch("short-lived");
      await this.despawn("short-lived");
    }
    if (payload["ask"] === true)
      await this.suspendForApproval({ kind: "act", payload: {}, expiresMs: 1000 });
    if (payload["judge"] === true) await this.emitEval("answer", {}, { evalAgent: "judge" });
    return {};
  }
}

class Server extends GenServer {
  override handleCall(): JsonObject {
    called.add("handleCall");
    this.sendAfter(1, {});
    return {};
  }
  override handleCast(): void {
    called.add("handleCast");
  }
  override handleInfo(): void {
    called.add("handleInfo");
  }
}

class Judge extends EvalAgent {
  override onEvalEvent(_event: EvalEvent) {
    called.add("onEvalEvent");
    return { severity: "nudge", reason: "as told" } as const;
  }
}

test("every hook that a class can override is called", async () => {
  called.clear();
  const simulation = await simulate(
    supervisor("root", {
      children: [
        dynamicSupervisor("pool"),
        child(Judge, "judge"),
        child(Server, "server"),
        child(Everything, "everything"),
        keyed(Everything, "keyed"),
      ],
    }),
  );
  const { runtime } = simulation;
  await simulation.call("everything", { spawn: true });
  await simulation.call("everything", { judge: true });
  await simulation.call("everything", { __op__: "state" }, { type: "state" });
  await assert.rejects(simulation.call("everything", { fail: true }));
  await simulation.until(runtime.suspend("everything", { reason: "a look" }));
  await simulation.until(runtime.resume("everything", { approver: "Ada" }));
  await simulation.call("everything", { ask: true });
  await simulation.advance(2000);
  await simulation.call("keyed/one", {});
  await simulation.call("server", {});
  await simulation.until(runtime.cast("server", {}));
  await simulation.advance(10);
  await simulation.until(runtime.stop());
  const offered = [Agent, GenServer, EvalAgent].flatMap((one) => hooksOf(one.prototype));
  assert.deepEqual([...called].sort(), [...new Set([...offered, "handle"])].sort());
});

test("a spawned child is counted as one that was there from the start", async () => {
  await using simulation = await startPool();
  await spawn(simulation, "spawned");
  for (const name of ["static", "spawned"]) {
    await simulation.call(name, {});
    await crash(simulation, name);
    await simulation.call(name, {});
  }
  const { spawned, static: fromStart } = simulation.runtime.snapshot().agents;
  assert.ok(spawned !== undefined && fromStart !== undefined);
  assert.equal(spawned.messagesHandled, 2);
  assert.deepEqual(spawned, fromStart);
});

test("what is sent to a child right behind its spawn reaches it, though it has not started yet", async () => {
  await using simulation = await startPool();
  const report = await spawn(simulation, "w", { options: { wait: false } });
  assert.equal(report["isReady"], false);
  assert.deepEqual(await simulation.call("w", {}), { name: "w" });
});

test("a name that is taken, refused a hundred times, harms neither the child nor its supervisor", async () => {
  await using simulation = await startPool();
  await spawn(simulation, "w");
  for (let index = 0; index < 100; index += 1)
    assert.equal((await spawn(simulation, "w"))["refused"], "AGENTRT_SPAWN_NAME_TAKEN");
  assert.deepEqual(await simulation.call("w", {}), { name: "w" });
  assert.equal((await spawn(simulation, "x"))["isReady"], true);
  assert.deepEqual(poolNames(simulation), ["w", "x"]);
  assert.equal(simulation.runtime.tree().crashesInWindow, 0);
});

test("spawns that fail leave nothing in the registry, however many there are", async () => {
  await using simulation = await startPool();
  const { registry } = simulation.runtime;
  const agentsOf = (): string[] => Object.keys(simulation.runtime.snapshot().agents);
  const before = { names: registry.list().map(({ name }) => name), agents: agentsOf() };
  for (let index = 0; index < 100; index += 1) {
    Puppet.failingStarts.set(`w${index}`, 1);
    const report = await spawn(simulation, `w${index}`);
    assert.equal(report["refused"], "AGENTRT_SPAWN_START_FAILED");
  }
  assert.deepEqual({ names: registry.list().map(({ name }) => name), agents: agentsOf() }, before);
});
