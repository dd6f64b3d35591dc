import assert from "node:assert/strict";
import { test } from "node:test";
import { LoopBlocks } from "./loop-blocks.ts";

test("blocks of a second are counted with when the first and the last of them ended, apart from those of the machine, and are forgotten later", () => {
  let nowMs = 0;
  let waitedMs = 0;
  let pending: { readonly dueMs: number; readonly callback: () => void } | undefined;
  const system = {
    monotonicMs: () => nowMs,
    wallTimeMs: (atMs) => 1_000_000 + atMs,
    setTimer: (delayMs, callback) => {
      pending = { dueMs: nowMs + delayMs, callback };
      return { timer: pending };
    },
    clearTimer: () => void (pending = undefined),
  } satisfies ConstructorParameters<typeof LoopBlocks>[0];
  const blocks = new LoopBlocks(system, () => waitedMs);
  /** Lets time pass in which timers are served when they are due. */
  const pass = (milliseconds: number): void => {
    const endMs = nowMs + milliseconds;
    for (;;) {
      const next = pending;
      if (next === undefined || next.dueMs > endMs) break;
      nowMs = next.dueMs;
      next.callback();
    }
    nowMs = endMs;
  };
  /** Lets time pass in which nobody is served. */
  const block = (milliseconds: number): void => {
    nowMs += milliseconds;
    pass(0);
    if (pending !== undefined && pending.dueMs <= nowMs) pending.callback();
  };
  pass(10_000);
  assert.deepEqual(blocks.read(), {});
  // A moment in which much was to be done.
  block(500);
  assert.deepEqual(blocks.read(), {});
  const late = (milliseconds: number): void => {
    const dueMs = pending?.dueMs ?? 0;
    nowMs = dueMs + milliseconds;
    pending?.callback();
  };
  pass(1000);
  late(1200);
  const firstMs = 1_000_000 + nowMs;
  pass(20_000);
  // Somebody computed, on a machine that gave it the processor for a tenth of the time.
  waitedMs += 2700;
  late(3000);
  const lastMs = 1_000_000 + nowMs;
  pass(10_000);
  const blocked = { count: 2, firstMs, lastMs, maxMs: 3000 };
  assert.deepEqual(blocks.read(), { blocked });
  waitedMs += 4900;
  late(5000);
  const atMs = 1_000_000 + nowMs;
  const starved = { count: 1, firstMs: atMs, lastMs: atMs, maxMs: 5000 };
  assert.deepEqual(blocks.read(), { blocked, starved });
  pass(90_000);
  assert.deepEqual(blocks.read(), {
    blocked: { count: 1, firstMs: lastMs, lastMs, maxMs: 3000 },
    starved,
  });
  pass(70_000);
  assert.deepEqual(blocks.read(), {});
  blocks.end();
  assert.equal(pending, undefined);
});
