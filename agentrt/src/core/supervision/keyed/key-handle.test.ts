/** A key by its name (`ticket/4711`): what is asked of it does not depend on whether it has an object now. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FickleStore,
  keyNames,
  simulateTickets,
  Ticket,
  ticketNode,
} from "./test-support/tickets.ts";

const audit = { reason: "audit", category: "governance_pause" } as const;
const approver = "Ada";
const patient = { timeoutMs: 600_000 };

test("a key without an object is suspended by its name, and so is one that never had any", async () => {
  await using simulation = await simulateTickets({ idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.advance(5000);
  assert.deepEqual(keyNames(simulation), []);
  for (const name of ["ticket/a", "ticket/b"]) {
    await simulation.until(runtime.suspend(name, audit));
  }
  const waiting = ["a", "b"].map((id) => runtime.call("ticket", { id }, patient));
  await simulation.advance(5000);
  const kept = runtime.keys("ticket");
  assert.deepEqual(
    kept.map(({ name, suspension }) => [name, suspension?.reason]),
    [
      ["ticket/a", "audit"],
      ["ticket/b", "audit"],
    ],
  );
  for (const name of ["ticket/a", "ticket/b"]) {
    await simulation.until(runtime.resume(name, { approver }));
  }
  const replies = await simulation.until(Promise.all(waiting));
  assert.deepEqual(replies, [{ count: 2 }, { count: 1 }]);
  const said = simulation.events.lines.filter((line) => /agent\.(suspended|resumed)/.test(line));
  assert.equal(said.length, 4);
});

test("a suspended key that was passivated is resumed by its name", async () => {
  await using simulation = await simulateTickets({ idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.suspend("ticket/a", audit));
  await simulation.advance(5000);
  assert.deepEqual(keyNames(simulation), []);
  await simulation.until(runtime.resume("ticket/a", { approver }));
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "a" })), { count: 2 });
  await simulation.advance(5000);
  assert.deepEqual(keyNames(simulation), [], "it goes as every idle one");
});

test("a key is suspended while it waits for a place, and while it goes", async () => {
  const state = new FickleStore();
  await using simulation = await simulateTickets({ state, residentCountMax: 1, idleMs: 60_000 });
  const { runtime } = simulation;
  const busy = runtime.call("ticket", { id: "a", ms: 1000 });
  const inLine = runtime.call("ticket", { id: "b" }, patient);
  await simulation.runUntilIdle();
  const suspended = runtime.suspend("ticket/b", audit);
  assert.deepEqual(await simulation.until(busy), { count: 1 });
  await simulation.until(suspended);
  const going = runtime.suspend("ticket/a", audit);
  await simulation.until(going);
  await simulation.until(runtime.resume("ticket/b", { approver }));
  assert.deepEqual(await simulation.until(inLine), { count: 1 });
  assert.equal((await state.kept.get("ticket/a"))?.["count"], 1);
});

test("a suspended key whose messages wait makes room, and they wait on", async () => {
  await using simulation = await simulateTickets({ residentCountMax: 1, idleMs: 60_000 });
  const { runtime } = simulation;
  await simulation.until(runtime.suspend("ticket/a", audit));
  const waiting = runtime.call("ticket", { id: "a" }, patient);
  await simulation.runUntilIdle();
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "b" })), { count: 1 });
  const { residentCount, waitingCount, mailboxDepth } = ticketNode(simulation).keyed;
  assert.deepEqual([residentCount, waitingCount, mailboxDepth], [1, 1, 1]);
  assert.deepEqual(await simulation.until(runtime.call("ticket/a", {}, { priority: 1 })), {
    count: 1,
  });
  await simulation.until(runtime.resume("ticket/a", { approver }));
  assert.deepEqual(await simulation.until(waiting), { count: 2 });
});

test("a call that does not wait for a suspended key fails, with or without an object of the key", async () => {
  await using simulation = await simulateTickets({ idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.suspend("ticket/a", audit));
  const impatient = { failIfSuspended: true, timeoutMs: 60_000 };
  const isSuspended = { code: "AGENTRT_AGENT_SUSPENDED" };
  await assert.rejects(runtime.call("ticket", { id: "a" }, impatient), isSuspended);
  await simulation.advance(5000);
  assert.deepEqual(keyNames(simulation), []);
  const calls = ["ticket/a", "ticket"].map((to) => runtime.call(to, { id: "a" }, impatient));
  const ends = calls.map((call) => assert.rejects(simulation.until(call), isSuspended));
  await Promise.all(ends);
  assert.ok(simulation.clock.monotonicMs() < 10_000, "nobody waited for the time-out");
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "b" }, impatient)), {
    count: 1,
  });
  assert.equal(Ticket.trace.includes("count a"), false);
});

test("a key without an object is stopped and restarted by its name: there is nothing to do", async () => {
  await using simulation = await simulateTickets();
  const { runtime } = simulation;
  assert.deepEqual(await simulation.until(runtime.stopAgent("ticket/a")), { lateNames: [] });
  await simulation.until(runtime.restart("ticket/a"));
  assert.deepEqual(Ticket.trace, []);
  assert.deepEqual(keyNames(simulation), []);
});

test("a key that cannot be is refused, and one of a stopped keyed agent", async () => {
  await using simulation = await simulateTickets({ residentCountMax: 1, waitingCountMax: 1 });
  const { runtime } = simulation;
  await assert.rejects(runtime.suspend(`ticket/${"x".repeat(300)}`, audit), {
    code: "AGENTRT_KEY_INVALID",
  });
  await simulation.until(runtime.stopAgent("ticket"));
  await assert.rejects(runtime.suspend("ticket/a", audit), { code: "AGENTRT_AGENT_STOPPED" });
});

test("a key that has crashed too often refuses to be suspended, and so do those that asked before", async () => {
  await using simulation = await simulateTickets({ restartCountMax: 0 });
  const { runtime } = simulation;
  const crash = runtime.call("ticket", { id: "a", ms: 500, crash: true });
  await simulation.runUntilIdle();
  const failed = { code: "AGENTRT_KEY_FAILED" };
  const asked = assert.rejects(runtime.suspend("ticket/a", audit), failed);
  await assert.rejects(simulation.until(crash), { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.until(asked);
  await assert.rejects(runtime.suspend("ticket/a", audit), failed);
});
