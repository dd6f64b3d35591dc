import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { simulateJoin, simulateRate } from "./simulate.ts";

const costs = {
  supervisor: { messageUs: 200, turnUs: 0 },
  worker: { messageUs: 100, turnUs: 0 },
  caller: { messageUs: 100, turnUs: 0 },
  broker: { messageUs: 10, turnUs: 0 },
  computeUs: 2000,
  waitMs: 20,
  keyMoveUs: 1000,
};
const shape = { costs, hopMs: 0, keyCount: 1000, windowMs: 1000, isForwarded: false };

/** Listeners that this process has for its faults. */
const listenerCount = (): number => process.listenerCount("unhandledRejection");

/** Asserts that a figure is what it is by arithmetic, but for what the first calls take. */
function near(actual: number, wanted: number): void {
  assert.ok(Math.abs(actual / wanted - 1) < 0.05, `${actual} is not near ${wanted}`);
}

test("handlers that wait are limited by how many there are, and that grows with the workers", async () => {
  for (const workerCount of [1, 3]) {
    const memberCount = 2 * workerCount;
    const { callsPerSecond } = await simulateRate({
      ...shape,
      work: "wait",
      target: "pool",
      workerCount,
      memberCount,
      openCount: 4 * workerCount,
    });
    // Each member takes 20 ms a call; the next one is at its worker already.
    near(callsPerSecond, memberCount * 50);
  }
});

test("handlers that compute are limited by the cores, whatever the number of workers", async () => {
  const rate = async (workerCount: number, sharedCoreCount?: number): Promise<number> => {
    const sizes = { workerCount, memberCount: 4, openCount: 16, sharedCoreCount };
    const run = await simulateRate({ ...shape, ...sizes, work: "compute", target: "pool" });
    return run.callsPerSecond;
  };
  // 2 ms and two messages of 50 us of the worker for each call.
  near(await rate(1), 1_000_000 / 2100);
  near(await rate(4), 4_000_000 / 2100);
  // Messages of the supervisor and the broker are on the same two cores.
  near(await rate(4, 2), 2_000_000 / (2100 + 200 + 20));
});

test("calls are counted for longer than the window where the answers to all that are open take longer", async () => {
  const run = await simulateRate({
    ...shape,
    costs: { ...costs, computeUs: 10_000 },
    windowMs: 100,
    work: "compute",
    target: "keys",
    workerCount: 1,
    memberCount: 1,
    openCount: 64,
  });
  near(run.callsPerSecond, 1_000_000 / 10_100);
  near(run.workerBusyMax, 1);
  assert.ok(run.workerBusyMax <= 1, `${run.workerBusyMax}`);
});

test("handlers that do nothing are limited by the supervisor, whose processor then always works", async () => {
  const run = await simulateRate({
    ...shape,
    work: "nothing",
    target: "keys",
    workerCount: 4,
    memberCount: 4,
    openCount: 64,
  });
  near(run.callsPerSecond, 1_000_000 / 200);
  near(run.supervisorBusy, 1);
  const forwarded = await simulateRate({
    ...shape,
    work: "nothing",
    target: "keys",
    workerCount: 4,
    memberCount: 4,
    openCount: 64,
    isForwarded: true,
  });
  // Four messages of each call pass through it.
  near(forwarded.callsPerSecond, 1_000_000 / 400);
});

test("a join is over when all keys have an owner, and takes longer the more keys move", async () => {
  const join = async (keyCount: number) =>
    await simulateJoin({ ...shape, workerCount: 1, memberCount: 2, keyCount, joinCount: 1 });
  const [few, many] = [await join(10), await join(500)];
  assert.equal(few.messageCount, many.messageCount);
  // About half of the keys move, each for 1 ms of the worker that had them.
  assert.ok(many.durationMs > 150 && many.durationMs < 500, `${many.durationMs} ms`);
  assert.ok(few.durationMs < 60, `${few.durationMs} ms`);
});

test("the same scenario gives the same figures", async () => {
  const run = async () =>
    await simulateRate({
      ...shape,
      work: "compute",
      target: "keys",
      workerCount: 3,
      memberCount: 3,
      openCount: 12,
    });
  assert.deepEqual(await run(), await run());
});

test("what was simulated leaves nothing behind that would hold its memory", async () => {
  const before = listenerCount();
  await simulateJoin({ ...shape, workerCount: 2, memberCount: 4, keyCount: 10, joinCount: 2 });
  await simulateRate({
    ...shape,
    work: "wait",
    target: "pool",
    isForwarded: true,
    workerCount: 2,
    memberCount: 2,
    openCount: 4,
  });
  assert.equal(listenerCount(), before);
});
