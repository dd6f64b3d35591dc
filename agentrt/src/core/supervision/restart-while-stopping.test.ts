/** restart() of an agent that is about to end for good: what was asked last counts, so it starts again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  dynamicSupervisor,
  type ErrorAction,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
  type SupervisorSpec,
} from "../index.ts";
import { kernelInvariants, Simulation } from "../../testing/index.ts";

let clock: Simulation;

/** Takes as long as it is told, and stops when it is told. */
class Worker extends Agent {
  static starts: string[] = [];
  override onStart(): void {
    Worker.starts.push(this.name);
  }
  override async handle({ payload }: Message): Promise<JsonObject> {
    if (typeof payload["ms"] === "number") await clock.sleep(payload["ms"]);
    if (payload["stop"] === true) throw new Error("as told");
    return {};
  }
  override onError(): ErrorAction {
    return "stop";
  }
}

async function simulate(node: SupervisorSpec["children"][number]): Promise<Simulation> {
  Worker.starts = [];
  const supervision = supervisor("root", { children: [node, child(Worker, "other")] });
  clock = new Simulation({ supervision, invariants: kernelInvariants() });
  await clock.start();
  return clock;
}

const nodes = {
  "an agent": () => child(Worker, "worker"),
  "a pool": () => pool(Worker, "worker", { size: 1 }),
  "a keyed agent": () => keyed(Worker, "worker", { key: "id" }),
};

for (const [kind, node] of Object.entries(nodes))
  for (const isAtHand of [false, true])
    test(`restart() of ${kind} that ${isAtHand ? "ends after its message at hand" : "was just asked to stop"} starts it again`, async () => {
      await using simulation = await simulate(node());
      const { runtime } = simulation;
      const atHand = runtime.call("worker", { id: "a", ms: isAtHand ? 1000 : 0 });
      await (isAtHand ? simulation.runUntilIdle() : simulation.until(atHand));
      const stopped = runtime.stopAgent("worker");
      if (isAtHand) await simulation.runUntilIdle();
      const restarted = runtime.restart("worker");
      assert.deepEqual(await simulation.until(stopped), { lateNames: [] });
      await simulation.until(restarted);
      await atHand;
      assert.deepEqual(await simulation.until(runtime.call("worker", { id: "a" })), {});
      assert.equal(runtime.tree().crashesInWindow, 0);
      assert.deepEqual(runtime.health(), { status: "ok", failed: [] });
    });

test("restart() of a member of a pool that is being stopped starts it again", async () => {
  await using simulation = await simulate(pool(Worker, "worker", { size: 2 }));
  const { runtime } = simulation;
  const stopped = runtime.stopAgent("worker/1");
  await simulation.until(runtime.restart("worker/1"));
  await stopped;
  assert.deepEqual(Worker.starts.filter((name) => name === "worker/1").length, 2);
});

test("a stop after a restart counts, and so on", async () => {
  await using simulation = await simulate(child(Worker, "worker"));
  const { runtime } = simulation;
  const atHand = runtime.call("worker", { ms: 1000 });
  await simulation.runUntilIdle();
  const asked = [
    runtime.stopAgent("worker"),
    runtime.restart("worker"),
    runtime.stopAgent("worker"),
    runtime.restart("worker"),
    runtime.stopAgent("worker"),
  ];
  await simulation.until(Promise.all([atHand, ...asked]));
  await assert.rejects(runtime.call("worker", {}), { code: "AGENTRT_AGENT_STOPPED" });
  assert.equal(Worker.starts.filter((name) => name === "worker").length, 3);
});

test("restart() of an agent that ends by its own wish starts it again once it has", async () => {
  await using simulation = await simulate(child(Worker, "worker", { concurrency: 2 }));
  const { runtime } = simulation;
  const atHand = runtime.call("worker", { ms: 1000 });
  const stopping = runtime.call("worker", { stop: true });
  await assert.rejects(simulation.until(stopping), { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.until(runtime.restart("worker"));
  assert.deepEqual(await atHand, {});
  assert.deepEqual(await simulation.until(runtime.call("worker", {})), {});
});

test("restart() of a spawned child that is being ended is refused: it is gone then", async () => {
  await using simulation = await simulate(dynamicSupervisor("pit"));
  const { runtime } = simulation;
  await simulation.until(runtime.spawn(Worker, "worker"));
  const atHand = runtime.call("worker", { ms: 1000 });
  await simulation.runUntilIdle();
  const stopped = runtime.stopAgent("worker");
  await simulation.runUntilIdle();
  await assert.rejects(runtime.restart("worker"), { code: "AGENTRT_AGENT_STOPPED" });
  assert.deepEqual(await simulation.until(atHand), {});
  await simulation.until(stopped);
});

test("restart() while the tree stops for good is refused", async () => {
  await using simulation = await simulate(child(Worker, "worker"));
  const { runtime } = simulation;
  const atHand = runtime.call("worker", { ms: 1000 });
  await simulation.runUntilIdle();
  const stopped = runtime.stop();
  await simulation.runUntilIdle();
  const asked = runtime.restart("worker");
  await assert.rejects(asked, {
    code: "AGENTRT_SUPERVISION_NOT_STARTED",
    message: 'Cannot use runtime "root": it is stopping, want started',
  });
  await simulation.until(Promise.all([atHand, stopped]));
});
