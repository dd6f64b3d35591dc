/** The keyed agent as one: what concerns all its keys together. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { simulateTickets, ticketNode } from "./test-support/tickets.ts";

test("a restart of the whole forgets the crashes of its keys, those that were passivated too", async () => {
  await using simulation = await simulateTickets({
    idleMs: 1000,
    restartCountMax: 1,
    failedCountMax: 0,
  });
  const { runtime } = simulation;
  const crash = (id: string) =>
    assert.rejects(simulation.until(runtime.call("ticket", { id, crash: true })), {
      code: "AGENTRT_AGENT_CRASHED",
    });
  await crash("a");
  // It has a crash that counts, and is not there.
  await simulation.advance(5000);
  assert.deepEqual(runtime.keys("ticket"), []);
  await crash("b");
  await simulation.advance(1000);
  await crash("b");
  await simulation.advance(5000);
  assert.equal(ticketNode(simulation).restartCount, 1);
  await crash("a");
  await simulation.advance(1000);
  assert.equal(ticketNode(simulation).restartCount, 1);
  assert.equal((await simulation.until(runtime.call("ticket", { id: "a" })))["count"], 1);
});
