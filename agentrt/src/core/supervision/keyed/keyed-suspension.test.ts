/** The suspension of a whole keyed agent: new keys and messages wait, and nothing of them is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StateStore } from "../../index.ts";
import { MemoryStateStore } from "../../../state/index.ts";
import {
  FickleStore,
  keyNames,
  simulateTickets,
  Ticket,
  ticketNode,
} from "./test-support/tickets.ts";

const audit = { reason: "audit", category: "governance_pause" } as const;
const approver = "Ada";

test("a suspended keyed agent ends what is at hand, begins nothing but messages with a priority, and goes on", async () => {
  await using simulation = await simulateTickets({ idleMs: 60_000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "b" }));
  const atHand = runtime.call("ticket", { id: "a", ms: 1000 });
  await simulation.runUntilIdle();
  let isSuspended = false;
  const suspended = runtime.suspend("ticket", audit).then(() => (isSuspended = true));
  const queued = ["a", "b", "c"].map((id) => runtime.call("ticket", { id }));
  await simulation.advance(500);
  assert.ok(!isSuspended, "a message is at hand");
  await simulation.until(suspended);
  assert.deepEqual(await atHand, { count: 1 });
  const node = ticketNode(simulation);
  assert.equal(node.status, "SUSPENDED");
  assert.deepEqual(node.keyed.suspension?.reason, "audit");
  assert.deepEqual([node.keyed.mailboxDepth, node.keyed.waitingCount], [3, 1]);
  await assert.rejects(runtime.call("ticket", { id: "a" }, { failIfSuspended: true }), {
    code: "AGENTRT_AGENT_SUSPENDED",
  });
  // Of a key that has an object, of one that waits in line, and of a new one.
  for (const [id, count] of [
    ["b", 2],
    ["c", 1],
    ["d", 1],
  ] as const) {
    const urgent = runtime.call("ticket", { id }, { priority: 1 });
    assert.deepEqual(await simulation.until(urgent), { count });
  }
  await simulation.until(runtime.resume("ticket", { approver }));
  const replies = await simulation.until(Promise.all(queued));
  assert.deepEqual(replies, [{ count: 2 }, { count: 3 }, { count: 2 }]);
  assert.equal(ticketNode(simulation).status, "RUNNING");
  const said = simulation.events.lines.filter((line) => /suspended|resumed/.test(line));
  assert.equal(said.length, 2);
});

test("the suspension of a keyed agent outlives a restart of it and the process", async () => {
  const memory = new MemoryStateStore();
  const state: StateStore = {
    get: (agent) => memory.get(agent),
    set: (agent, value) => memory.set(agent, value),
    delete: (agent) => memory.delete(agent),
    listAgents: () => memory.listAgents(),
    close: async () => undefined,
  };
  {
    await using first = await simulateTickets({ state });
    await first.until(first.runtime.call("ticket", { id: "a" }));
    await first.until(first.runtime.suspend("ticket", audit));
    await first.runtime.restart("ticket");
    await first.advance(5000);
    assert.deepEqual([ticketNode(first).status, ticketNode(first).restartCount], ["SUSPENDED", 1]);
  }
  await using second = await simulateTickets({ state });
  const waiting = second.runtime.call("ticket", { id: "a" }, { timeoutMs: 100_000 });
  await second.advance(10_000);
  assert.equal(ticketNode(second).status, "SUSPENDED");
  assert.equal(ticketNode(second).keyed.suspension?.category, "governance_pause");
  assert.deepEqual(Ticket.trace, []);
  await second.until(second.runtime.resume("ticket", { approver }));
  assert.deepEqual(await second.until(waiting), { count: 2 });
  assert.equal(await memory.get("ticket"), undefined);
});

test("in a suspended keyed agent keys whose messages wait make room, go when they are idle, and lose nothing", async () => {
  await using simulation = await simulateTickets({ residentCountMax: 1, idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.suspend("ticket", audit));
  const patient = { timeoutMs: 100_000 };
  const queued = ["a", "a", "b"].map((id) => runtime.call("ticket", { id }, patient));
  const urgent = runtime.call("ticket", { id: "c" }, { priority: 1 });
  assert.deepEqual(await simulation.until(urgent), { count: 1 });
  await simulation.advance(5000);
  const { residentCount, waitingCount, mailboxDepth } = ticketNode(simulation).keyed;
  assert.deepEqual([residentCount, waitingCount, mailboxDepth], [0, 2, 3]);
  await simulation.until(runtime.resume("ticket", { approver }));
  const replies = await simulation.until(Promise.all(queued));
  assert.deepEqual(replies, [{ count: 2 }, { count: 3 }, { count: 1 }]);
});

test("keys that wait for a suspended keyed agent are bounded, and those that nobody waits for make room", async () => {
  await using simulation = await simulateTickets({ residentCountMax: 1, waitingCountMax: 1 });
  const { runtime } = simulation;
  await simulation.until(runtime.suspend("ticket", audit));
  const left = ["a", "b"].map((id) => runtime.call("ticket", { id }, { timeoutMs: 100 }));
  await assert.rejects(runtime.call("ticket", { id: "c" }), { code: "AGENTRT_KEY_EXHAUSTED" });
  await simulation.until(Promise.allSettled(left));
  const stays = runtime.call("ticket", { id: "d" });
  await simulation.runUntilIdle();
  assert.deepEqual(keyNames(simulation), ["ticket/d"]);
  await simulation.until(runtime.resume("ticket", { approver }));
  assert.deepEqual(await simulation.until(stays), { count: 1 });
});

test("a stop with a grace does not wait for what a suspended keyed agent holds", async () => {
  const simulation = await simulateTickets({ graceMs: 60_000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.suspend("ticket", audit));
  const waiting = ["a", "b"].map((id) => runtime.call("ticket", { id }, { timeoutMs: 600_000 }));
  const ends = Promise.allSettled(waiting);
  await simulation.runUntilIdle();
  const beginMs = simulation.clock.monotonicMs();
  await simulation.stop();
  assert.ok(simulation.clock.monotonicMs() - beginMs < 10_000);
  assert.deepEqual(
    (await ends).map(({ status }) => status),
    ["rejected", "rejected"],
  );
});

test("a crash of a key at hand, and a key that is stopped, end the wait for the boundary", async () => {
  await using simulation = await simulateTickets({ shutdownTimeoutMs: 500 });
  const { runtime } = simulation;
  const calls = [
    runtime.call("ticket", { id: "a", ms: 1000, crash: true }),
    runtime.call("ticket", { id: "b", ms: 100_000 }),
  ];
  const ends = Promise.allSettled(calls);
  await simulation.runUntilIdle();
  const suspended = runtime.suspend("ticket", audit);
  await simulation.until(runtime.stopAgent("ticket/b"));
  await simulation.until(Promise.all([suspended, ends]));
  assert.equal(ticketNode(simulation).status, "SUSPENDED");
});

test("a keyed agent whose suspension cannot be read is restarted until the store is back", async () => {
  const state = new FickleStore();
  state.readFault = Object.assign(new Error("the store is away"), { isRetryable: true });
  await using simulation = await simulateTickets({ state });
  const called = simulation.runtime.call("ticket", { id: "a" }, { timeoutMs: 60_000 });
  await simulation.advance(3000);
  state.readFault = undefined;
  assert.deepEqual(await simulation.until(called), { count: 1 });
  assert.deepEqual(simulation.runtime.health().failed, []);
});

test("a whole keyed agent is stopped and started again by its name", async () => {
  await using simulation = await simulateTickets();
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.stopAgent("ticket"));
  await assert.rejects(runtime.call("ticket", { id: "a" }), { code: "AGENTRT_AGENT_STOPPED" });
  await assert.rejects(runtime.suspend("ticket", audit), { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.until(runtime.restart("ticket"));
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "a" })), { count: 2 });
});

test("a class that wants to handle several messages of a key at once is refused", async () => {
  class Wide extends Ticket {
    constructor(...[name, options]: ConstructorParameters<typeof Ticket>) {
      super(name, { ...options, concurrency: 2 });
    }
  }
  await using simulation = await simulateTickets({ agentClass: Wide, restartCountMax: 0 });
  const called = simulation.runtime.call("ticket", { id: "a" }, { timeoutMs: 5000 });
  await assert.rejects(simulation.until(called), {
    code: "AGENTRT_KEY_FAILED",
    message: /concurrency/,
  });
});
