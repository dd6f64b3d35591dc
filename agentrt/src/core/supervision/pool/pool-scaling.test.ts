/** A pool whose members come when messages wait too long, and go when they have nothing to do. */
import { test } from "node:test";
import assert from "node:assert/strict";
import type { Simulation } from "../../../testing/index.ts";
import { simulatePool, Writer } from "./test-support/writer.ts";

const limits = { memberCountMin: 1, memberCountMax: 4, scaleAfterMs: 1000, idleMs: 10_000 };

function memberNames(simulation: Simulation): string[] {
  const [node] = simulation.runtime.tree().children;
  assert.ok(node?.kind === "supervisor");
  return node.children.map(({ name }) => name);
}

test("each message that has waited for scaleAfterMs brings one more member, up to the maximum", async () => {
  await using simulation = await simulatePool({ ...limits, memberCountMax: 6 });
  const { runtime } = simulation;
  assert.deepEqual(memberNames(simulation), ["writer/1"]);
  assert.deepEqual(Object.keys(runtime.snapshot().agents), ["writer/1"]);
  const ask = (): Promise<unknown> => runtime.call("writer", { ms: 20_000 });
  const calls = Array.from({ length: 3 }, ask);
  await simulation.advance(500);
  calls.push(ask());
  await simulation.advance(490);
  assert.equal(memberNames(simulation).length, 1);
  await simulation.advance(20);
  assert.deepEqual(memberNames(simulation), ["writer/1", "writer/2", "writer/3"]);
  await simulation.advance(480);
  assert.equal(memberNames(simulation).length, 3);
  await simulation.advance(20);
  assert.equal(memberNames(simulation).length, 4);
  calls.push(...Array.from({ length: 9 }, ask));
  await simulation.advance(1020);
  assert.equal(memberNames(simulation).length, 6);
  assert.equal(Writer.busyCountMax, 6);
  void Promise.allSettled(calls);
});

test("members that are idle longer than idleMs go, down to the minimum, and come back with their counters", async () => {
  await using simulation = await simulatePool({ ...limits, memberCountMin: 2 });
  const { runtime } = simulation;
  const calls = Array.from({ length: 6 }, () => runtime.call("writer", { ms: 3000 }));
  await simulation.until(Promise.all(calls));
  assert.equal(memberNames(simulation).length, 4);
  await simulation.advance(7000);
  assert.equal(memberNames(simulation).length, 4);
  await simulation.advance(5000);
  assert.equal(memberNames(simulation).length, 2);
  await simulation.advance(60_000);
  assert.equal(memberNames(simulation).length, 2);
  const more = Array.from({ length: 6 }, () => runtime.call("writer", { ms: 3000 }));
  await simulation.until(Promise.all(more));
  assert.equal(memberNames(simulation).length, 4);
  assert.equal(runtime.snapshot().totalMessages, 12);
  assert.equal(Writer.busyCountMax, 4);
});

test("a member that is used stays, and nothing wakes a pool that is as small as it may be", async () => {
  await using simulation = await simulatePool({ ...limits, scaleAfterMs: 0 });
  const { runtime } = simulation;
  await simulation.until(Promise.all([1, 2].map(() => runtime.call("writer", { ms: 100 }))));
  assert.equal(memberNames(simulation).length, 2);
  for (let round = 0; round < 20; round += 1) {
    await simulation.advance(4000);
    await simulation.call("writer", {});
  }
  assert.equal(memberNames(simulation).length, 2);
  await simulation.advance(30_000);
  assert.equal(memberNames(simulation).length, 1);
  await simulation.advance(100_000);
  assert.equal(simulation.clock.timerCount, 0);
});

test("a message that others overtake brings another member, when the one it brought has taken those", async () => {
  await using simulation = await simulatePool(limits);
  const { runtime } = simulation;
  const ask = (priority: number): Promise<unknown> =>
    runtime.call("writer", { ms: 5000 }, { priority });
  const calls = [ask(0), ask(0)];
  await simulation.advance(900);
  calls.push(ask(1));
  await simulation.advance(120);
  assert.equal(memberNames(simulation).length, 3);
  await simulation.until(Promise.all(calls));
});

test("a member that comes to rest while all others are busy goes, too", async () => {
  await using simulation = await simulatePool(limits);
  const { runtime } = simulation;
  const long = { timeoutMs: 200_000 };
  const calls = [100_000, 15_000].map((ms) => runtime.call("writer", { ms }, long));
  await simulation.advance(20_000);
  assert.equal(memberNames(simulation).length, 2);
  await simulation.advance(10_000);
  assert.deepEqual(memberNames(simulation), ["writer/1"]);
  await simulation.until(Promise.all(calls));
});

test("a member that is resumed and goes on with messages of its own lets another one go", async () => {
  await using simulation = await simulatePool({ ...limits, scaleAfterMs: 0 });
  const { runtime } = simulation;
  await simulation.until(Promise.all([1, 2].map(() => runtime.call("writer", { ms: 100 }))));
  await simulation.until(runtime.suspend("writer/1", { reason: "audit" }));
  // As a timer of the member itself does.
  const own = runtime.call("writer/1", { ms: 100_000 }, { timeoutMs: 200_000 });
  await simulation.advance(20_000);
  await simulation.until(runtime.resume("writer/1", { approver: "ada" }));
  await simulation.advance(1000);
  assert.deepEqual(memberNames(simulation), ["writer/1"]);
  await simulation.until(own);
});

test("messages that nobody wants any more bring no member", async () => {
  await using simulation = await simulatePool(limits);
  const { runtime } = simulation;
  const busy = runtime.call("writer", { ms: 20_000 });
  const leaving = new AbortController();
  const queued = [1, 2].map(() => runtime.call("writer", {}, { signal: leaving.signal }));
  await simulation.advance(500);
  leaving.abort();
  await Promise.allSettled(queued);
  await simulation.advance(5000);
  assert.equal(memberNames(simulation).length, 1);
  assert.equal(runtime.snapshot().dropped.abandoned, 2);
  await simulation.until(busy);
});

test("no member comes while the pool is suspended, and a member that is stopped on purpose stays away", async () => {
  await using simulation = await simulatePool({ ...limits, memberCountMax: 3 });
  const { runtime } = simulation;
  await simulation.until(runtime.suspend("writer", { reason: "audit" }));
  const calls = Array.from({ length: 4 }, () =>
    runtime.call("writer", { ms: 8000 }, { timeoutMs: 100_000 }),
  );
  await simulation.advance(5000);
  assert.deepEqual(memberNames(simulation), ["writer/1"]);
  await simulation.until(runtime.stopAgent("writer/1"));
  await simulation.until(runtime.resume("writer", { approver: "ada" }));
  await simulation.advance(4000);
  const [node] = runtime.tree().children;
  assert.ok(node?.kind === "supervisor");
  assert.deepEqual(
    node.children.map(({ name, status }) => [name, status]),
    [
      ["writer/1", "STOPPED"],
      ["writer/2", "RUNNING"],
      ["writer/3", "RUNNING"],
    ],
  );
  await simulation.until(Promise.all(calls));
  await assert.rejects(runtime.restart("writer/4"), { code: "AGENTRT_SUPERVISION_UNKNOWN_NAME" });
});

test("members that are suspended do not count when the pool shrinks, and no timer runs for nothing", async () => {
  await using simulation = await simulatePool({ ...limits, scaleAfterMs: 0 });
  const { runtime, clock } = simulation;
  await simulation.until(Promise.all([1, 2].map(() => runtime.call("writer", { ms: 100 }))));
  await simulation.until(runtime.suspend("writer/1", { reason: "audit" }));
  await simulation.advance(200_000);
  assert.equal(memberNames(simulation).length, 2);
  assert.equal(clock.timerCount, 0);
  assert.deepEqual(await simulation.call("writer", {}), { by: "writer/2" });
  await simulation.until(runtime.resume("writer/1", { approver: "ada" }));
  await simulation.advance(200_000);
  assert.equal(memberNames(simulation).length, 1);
});

test("a member that rests is not there for anybody", async () => {
  await using simulation = await simulatePool(limits);
  const { runtime } = simulation;
  for (const asked of [
    runtime.restart("writer/2"),
    runtime.stopAgent("writer/2"),
    runtime.suspend("writer/2", { reason: "audit" }),
  ]) {
    await assert.rejects(asked, (error: { code: string }) =>
      /UNKNOWN_NAME|NOT_AN_AGENT/.test(error.code),
    );
  }
  await assert.rejects(simulation.call("writer/2", {}), { code: "AGENTRT_AGENT_STOPPED" });
});
