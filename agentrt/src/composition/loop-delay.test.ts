import assert from "node:assert/strict";
import { test } from "node:test";
import { LoopDelayMeter } from "./loop-delay.ts";

test("the delay that is shown is that of a minute at least, and a bad moment is forgotten later", () => {
  let nowMs = 1000;
  let maxMs = 0;
  const watch = {
    read: () => ({ p50Ms: 1, p99Ms: maxMs / 2, maxMs }),
    reset: () => void (maxMs = 0),
    end: () => undefined,
  };
  const meter = new LoopDelayMeter({ monotonicMs: () => nowMs }, watch);
  const rows: readonly (readonly [passMs: number, blockMs: number, shown: readonly number[]])[] = [
    [1000, 0, [0, 1000]],
    [1000, 800, [800, 2000]],
    [58_000, 0, [800, 60_000]],
    // A new window: the one before still counts.
    [1000, 30, [800, 61_000]],
    [60_000, 0, [800, 121_000]],
    [1000, 10, [30, 62_000]],
    [90_000, 0, [30, 152_000]],
    [1000, 0, [10, 92_000]],
  ];
  for (const [passMs, blockMs, shown] of rows) {
    nowMs += passMs;
    maxMs = Math.max(maxMs, blockMs);
    const { maxMs: max, windowMs, p50Ms } = meter.read();
    assert.deepEqual([max, windowMs], shown);
    assert.equal(p50Ms, 1);
  }
});
