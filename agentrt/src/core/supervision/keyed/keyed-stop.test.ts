/** A key that is stopped by its name or passivated while its state cannot be saved. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../index.ts";
import { MemoryStateStore } from "../../../state/index.ts";
import { FickleStore, keyNames, simulateTickets, Ticket } from "./test-support/tickets.ts";

/** Takes 5 s for each read. */
class SlowlyReadStore extends MemoryStateStore {
  override async get(agent: string): Promise<JsonObject | undefined> {
    await Ticket.clock.sleep(5000);
    return await super.get(agent);
  }
}

/** Fails to passivate while it is told to. */
class Clinging extends Ticket {
  static fault: Error | undefined;
  override async onPassivate(): Promise<void> {
    await super.onPassivate();
    if (Clinging.fault !== undefined) throw Clinging.fault;
  }
}

test("a key stopped by its name while the store fails stays with its state, and the caller is told", async () => {
  const state = new FickleStore();
  await using simulation = await simulateTickets({ state });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  state.fault = new Error("the disk is full");
  await assert.rejects(simulation.until(runtime.stopAgent("ticket/a")), {
    code: "AGENTRT_KEY_NOT_SAVED",
    message: 'Cannot stop "ticket/a": its state could not be saved: the disk is full',
  });
  assert.deepEqual(keyNames(simulation), ["ticket/a"]);
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "a" })), { count: 2 });
  assert.deepEqual(
    simulation.logLines.filter((line) => line.includes("could not be saved")).length,
    1,
  );
  state.fault = undefined;
  assert.deepEqual(await simulation.until(runtime.stopAgent("ticket/a")), { lateNames: [] });
  assert.deepEqual(keyNames(simulation), []);
  assert.deepEqual(await state.kept.get("ticket/a"), { count: 2 });
});

test("a key stopped by its name whose onPassivate fails crashes, and the caller is told", async () => {
  await using simulation = await simulateTickets({ agentClass: Clinging });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  Clinging.fault = new Error("not now");
  await assert.rejects(simulation.until(runtime.stopAgent("ticket/a")), {
    code: "AGENTRT_KEY_NOT_SAVED",
    message: /onPassivate failed: not now/,
  });
  Clinging.fault = undefined;
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "a" })), { count: 1 });
  assert.equal(runtime.snapshot().agents["ticket"]?.restarts, 1);
});

test("a suspended key that cannot be saved stays until it can", async () => {
  const state = new FickleStore();
  await using simulation = await simulateTickets({ state, idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.suspend("ticket/a", { reason: "audit" }));
  await simulation.until(runtime.call("ticket", { id: "a" }, { priority: 1 }));
  state.fault = new Error("the disk is full");
  await simulation.advance(5000);
  assert.deepEqual(keyNames(simulation), ["ticket/a"]);
  await assert.rejects(simulation.until(runtime.stopAgent("ticket/a")), {
    code: "AGENTRT_KEY_NOT_SAVED",
  });
  state.fault = undefined;
  await simulation.advance(5000);
  assert.deepEqual(keyNames(simulation), []);
  assert.equal((await state.kept.get("ticket/a"))?.["count"], 2);
});

test("a stop by name waits for the message at hand, and for no longer than the agent's own limit", async () => {
  await using simulation = await simulateTickets({ shutdownTimeoutMs: 2000 });
  const { runtime } = simulation;
  const brief = runtime.call("ticket", { id: "a", ms: 1000 });
  const queued = runtime.call("ticket", { id: "a" });
  await simulation.runUntilIdle();
  assert.deepEqual(await simulation.until(runtime.stopAgent("ticket/a")), { lateNames: [] });
  assert.deepEqual(await brief, { count: 1 });
  // What waits starts it again, with what it had.
  assert.deepEqual(await simulation.until(queued), { count: 2 });
  const long = runtime.call("ticket", { id: "a", ms: 100_000 });
  const after = runtime.call("ticket", { id: "a" });
  await simulation.runUntilIdle();
  const [report] = await simulation.until(
    Promise.all([
      runtime.stopAgent("ticket/a"),
      assert.rejects(long, { code: "AGENTRT_AGENT_STOPPED" }),
    ]),
  );
  assert.deepEqual(report, { lateNames: ["ticket/a"] });
  assert.deepEqual(await simulation.until(after), { count: 2 });
});

test("a key that crashes while it is asked to stop stops after its restart", async () => {
  await using simulation = await simulateTickets();
  const { runtime } = simulation;
  const crash = runtime.call("ticket", { id: "a", ms: 500, crash: true });
  await simulation.runUntilIdle();
  const stopped = runtime.stopAgent("ticket/a");
  await assert.rejects(simulation.until(crash), { code: "AGENTRT_AGENT_CRASHED" });
  assert.deepEqual(await simulation.until(stopped), { lateNames: [] });
  assert.deepEqual(keyNames(simulation), []);
});

test("a key that is down for long, or for good, is stopped for who asked", async () => {
  for (const options of [{ restartCountMax: 0 }, { backoffBaseMs: 60_000 }]) {
    await using simulation = await simulateTickets({ ...options, shutdownTimeoutMs: 1000 });
    const { runtime } = simulation;
    const crash = runtime.call("ticket", { id: "a", ms: 500, crash: true });
    await simulation.runUntilIdle();
    const stopped = runtime.stopAgent("ticket/a");
    await assert.rejects(simulation.until(crash), { code: "AGENTRT_AGENT_CRASHED" });
    assert.deepEqual(await simulation.until(stopped), { lateNames: [] });
    assert.ok(simulation.clock.monotonicMs() < 5000);
  }
});

test("a stop of the tree says what it could not save", async () => {
  const state = new FickleStore();
  const simulation = await simulateTickets({ state });
  await simulation.until(simulation.runtime.call("ticket", { id: "a" }));
  state.fault = new Error("the disk is full");
  await simulation.stop();
  const said = simulation.logLines.filter((line) => line.includes("could not be saved"));
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", /lost/);
  assert.doesNotMatch(said[0] ?? "", /stays/);
});

test("a stop with a grace handles what came before the store said whether the whole is suspended", async () => {
  const simulation = await simulateTickets({ state: new SlowlyReadStore(), graceMs: 60_000 });
  const { runtime } = simulation;
  const calls = ["a", "a", "b"].map((id) => runtime.call("ticket", { id }, { timeoutMs: 100_000 }));
  await simulation.runUntilIdle();
  await simulation.stop();
  assert.deepEqual(await Promise.all(calls), [{ count: 1 }, { count: 2 }, { count: 1 }]);
});
