/** Keys that wait for a place, and what is counted of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { simulateTickets, Ticket, ticketNode } from "./test-support/tickets.ts";

test("a key in line whose callers have all left is dropped, and counted, without a start", async () => {
  await using simulation = await simulateTickets({ residentCountMax: 1 });
  const { runtime } = simulation;
  const busy = runtime.call("ticket", { id: "a", ms: 1000 });
  const left = ["b", "b", "c"].map((id) => runtime.call("ticket", { id }, { timeoutMs: 100 }));
  const controller = new AbortController();
  left.push(runtime.call("ticket", { id: "c" }, { signal: controller.signal }));
  const cast = runtime.cast("ticket", { id: "d" }, { ttlMs: 200 });
  const ends = Promise.allSettled(left);
  const stays = runtime.call("ticket", { id: "e" });
  await simulation.until(cast);
  await simulation.until(runtime.cast("ticket", { id: "f" }));
  await simulation.advance(500);
  controller.abort();
  // The first in line is gone as soon as it is looked at.
  assert.equal(ticketNode(simulation).keyed.waitingCount, 4);
  await simulation.until(Promise.all([busy, stays, ends]));
  await simulation.advance(1000);
  assert.deepEqual(
    Ticket.trace.filter((each) => each.startsWith("start")),
    ["start a", "start e", "start f"],
  );
  const { dropped } = runtime.snapshot();
  assert.deepEqual([dropped.expired, dropped.abandoned], [4, 1]);
  assert.deepEqual(ticketNode(simulation).keyed.waitingCount, 0);
});

test("keys in front of a full line that nobody waits for make room for others", async () => {
  await using simulation = await simulateTickets({ residentCountMax: 1, waitingCountMax: 2 });
  const { runtime } = simulation;
  const busy = runtime.call("ticket", { id: "a", ms: 1000 });
  const left = ["b", "c"].map((id) => runtime.call("ticket", { id }, { timeoutMs: 100 }));
  const ends = Promise.allSettled(left);
  await simulation.advance(200);
  const stays = ["d", "e"].map((id) => runtime.call("ticket", { id }));
  await assert.rejects(runtime.call("ticket", { id: "f" }), { code: "AGENTRT_KEY_EXHAUSTED" });
  await simulation.until(Promise.all([busy, ends, ...stays]));
});

test("what waits for all keys together is what waits for each of them", async () => {
  await using simulation = await simulateTickets({
    residentCountMax: 2,
    mailboxLengthMax: 4,
    idleMs: 500,
    restartCountMax: 1,
  });
  const { runtime } = simulation;
  const depths = new Set<number>();
  const compare = (): void => {
    const each = runtime.keys("ticket").map(({ mailboxDepth }) => mailboxDepth);
    const { mailboxDepth } = ticketNode(simulation).keyed;
    const sum = each.reduce((one, other) => one + other, 0);
    assert.equal(mailboxDepth, sum);
    depths.add(sum);
  };
  const sent: Promise<unknown>[] = [];
  for (let round = 0; round < 60; round += 1) {
    for (const id of ["a", "b", "c", "d", "e"]) {
      const isPlain = round % 3 > 0;
      const priority = round % 7 === 0 ? 1 : 0;
      const payload = { id, ms: 30, crash: round % 11 === 5 && id === "b" };
      // More than a mailbox holds, so that senders wait for room.
      if (isPlain) sent.push(runtime.cast("ticket", payload, { priority, timeoutMs: 300 }));
      else sent.push(runtime.call("ticket", payload, { priority, timeoutMs: 200 }));
    }
    for (const each of sent) each.catch(() => undefined);
    await simulation.advance(20);
    compare();
    if (round === 40) await runtime.restart("ticket/a");
  }
  await simulation.advance(20_000);
  await simulation.until(Promise.allSettled(sent));
  compare();
  assert.equal(ticketNode(simulation).keyed.mailboxDepth, 0);
  assert.ok(depths.size > 5);
});
