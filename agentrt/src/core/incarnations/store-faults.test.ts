/** What a state store that is away does to the agents that need it, and to the budget of their supervisor. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore, stateErrors } from "../../state/index.ts";
import { FaultyStateStore, Simulation } from "../../testing/index.ts";
import {
  Agent,
  type AgentClass,
  child,
  dynamicSupervisor,
  type JsonObject,
  type Message,
  supervisor,
  type SupervisorSpec,
} from "../index.ts";

class Keeper extends Agent {
  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["fail"] === true) throw new Error("its own fault");
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { count: this.state["count"] };
  }
}

class Wrapping extends Agent {
  override async handle(): Promise<JsonObject> {
    try {
      await this.checkpoint();
    } catch (cause) {
      throw new Error("not saved", { cause });
    }
    return {};
  }
}

const away = (): Error =>
  new stateErrors.UNAVAILABLE({ path: "state.db", agent: "a", reason: "it is away" });
const gone = (): Error => new stateErrors.FILE_GONE({ path: "state.db", agent: "a" });

function simulate(
  supervision: SupervisorSpec,
  fault: { at: "get" | "set" | undefined; error: () => Error },
): Simulation {
  const state = new FaultyStateStore(new MemoryStateStore(), (operation) =>
    operation === fault.at ? fault.error() : undefined,
  );
  return new Simulation({ supervision, state });
}

const tree = (agentClass: AgentClass): SupervisorSpec =>
  supervisor("root", { restartCountMax: 2, backoffBaseMs: 0, children: [child(agentClass, "a")] });

for (const agentClass of [Keeper, Wrapping]) {
  test(`a checkpoint that fails because the store is away costs no budget (${agentClass.name})`, async () => {
    const fault = { at: "set" as "get" | "set" | undefined, error: away };
    await using simulation = simulate(tree(agentClass), fault);
    await simulation.start();
    for (let round = 0; round < 10; round += 1) {
      await assert.rejects(simulation.call("a", {}), { code: "AGENTRT_AGENT_CRASHED" });
      await simulation.clock.advance(1000);
    }
    const line = simulation.logLines.filter((each) => each.includes("without a charge"));
    assert.equal(line.length, 10);
    assert.match(line[0] ?? "", /state store is away.*child=a/);
    fault.at = undefined;
    await simulation.call("a", {});
    assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
    assert.equal(simulation.runtime.tree().crashesInWindow, 0);
  });
}

test("a start that fails because the store is away is tried again, more and more rarely, until it is back", async () => {
  const fault = { at: undefined as "get" | "set" | undefined, error: away };
  await using simulation = simulate(tree(Keeper), fault);
  await simulation.start();
  await simulation.call("a", {});
  fault.at = "get";
  await assert.rejects(simulation.call("a", { fail: true }));
  await simulation.clock.advance(600_000);
  const { restartCount = 0 } = simulation.runtime.tree().children[0] ?? {};
  assert.ok(restartCount > 50 && restartCount < 80, `${restartCount} starts in ten minutes`);
  fault.at = undefined;
  await simulation.clock.advance(10_000);
  assert.deepEqual(await simulation.call("a", {}), { count: 2 });
});

test("what is not over by itself is charged: a deleted state file, and the agent's own faults", async () => {
  for (const error of [gone, () => new Error("no reason")]) {
    await using simulation = simulate(tree(Keeper), { at: "set", error });
    await simulation.start();
    for (let round = 0; round < 3; round += 1) {
      await assert.rejects(simulation.call("a", {}));
      await simulation.clock.advance(1000);
    }
    assert.deepEqual(simulation.runtime.health().failed, ["a"]);
  }
});

test("a supervisor that restarts while the store is away does not use up the budget of the one above", async () => {
  const fault = { at: undefined as "get" | "set" | undefined, error: away };
  const inner = supervisor("inner", {
    restartCountMax: 0,
    backoffBaseMs: 0,
    children: [child(Keeper, "a")],
  });
  const supervision = supervisor("root", {
    restartCountMax: 1,
    backoffBaseMs: 0,
    children: [inner],
  });
  await using simulation = simulate(supervision, fault);
  await simulation.start();
  fault.at = "get";
  await assert.rejects(simulation.call("a", { fail: true }));
  await simulation.clock.advance(120_000);
  assert.equal(simulation.runtime.tree().crashesInWindow, 0);
  fault.at = undefined;
  await simulation.clock.advance(10_000);
  assert.deepEqual(await simulation.call("a", {}), { count: 1 });
});

test("a spawned child is not ended because the store is away", async () => {
  const fault = { at: undefined as "get" | "set" | undefined, error: away };
  const pool = dynamicSupervisor("pool", { restartCountMax: 1 });
  await using simulation = simulate(supervisor("root", { children: [pool] }), fault);
  await simulation.start();
  await simulation.runtime.spawn(Keeper, "a");
  fault.at = "set";
  for (let round = 0; round < 5; round += 1) {
    await assert.rejects(simulation.call("a", {}), { code: "AGENTRT_AGENT_CRASHED" });
    await simulation.clock.advance(1000);
  }
  fault.at = "get";
  await assert.rejects(simulation.call("a", { fail: true }));
  await simulation.clock.advance(60_000);
  fault.at = undefined;
  await simulation.clock.advance(10_000);
  assert.deepEqual(await simulation.call("a", {}), { count: 1 });
});
