import assert from "node:assert/strict";
import { test } from "node:test";
import { LoopBlocks } from "./loop-blocks.ts";

test("blocks of a second are counted with when the first and the last of them ended, and are forgotten later", () => {
  let nowMs = 0;
  let pending: { readonly dueMs: number; readonly callback: () => void } | undefined;
  const blocks = new LoopBlocks({
    monotonicMs: () => nowMs,
    wallTimeMs: (atMs) => 1_000_000 + atMs,
    setTimer: (delayMs, callback) => {
      pending = { dueMs: nowMs + delayMs, callback };
      return { timer: pending };
    },
    clearTimer: () => void (pending = undefined),
  });
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
  assert.equal(blocks.read(60_000), undefined);
  // A moment in which much was to be done.
  block(500);
  assert.equal(blocks.read(60_000), undefined);
  const late = (milliseconds: number): void => {
    const dueMs = pending?.dueMs ?? 0;
    nowMs = dueMs + milliseconds;
    pending?.callback();
  };
  pass(1000);
  late(1200);
  const firstMs = 1_000_000 + nowMs;
  pass(20_000);
  late(3000);
  const lastMs = 1_000_000 + nowMs;
  pass(10_000);
  assert.deepEqual(blocks.read(60_000), { count: 2, firstMs, lastMs });
  assert.deepEqual(blocks.read(20_000), { count: 1, firstMs: lastMs, lastMs });
  pass(70_000);
  assert.equal(blocks.read(60_000), undefined);
  blocks.end();
  assert.equal(pending, undefined);
});
