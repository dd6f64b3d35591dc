import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { backoffDelayMs, RestartWindow } from "./restart-window.ts";
import { type Backoff, supervisor } from "../tree/supervisor-spec.ts";

const limitsOf = (options: object) => supervisor("root", { ...options, children: [] }).limits;

test("a crash counts when it happens, however short the window", () => {
  const window = new RestartWindow(limitsOf({ restartWindowMs: 0, restartCountMax: 0 }));
  assert.equal(window.record(5), 1);
  assert.equal(window.record(5), 1);
  assert.equal(window.count(5), 0);
});

test("the window forgets what is as old as it is, and keeps no more than the budget plus one", () => {
  const window = new RestartWindow(limitsOf({ restartWindowMs: 10, restartCountMax: 2 }));
  assert.deepEqual(
    [0, 1, 2, 3, 4, 12].map((nowMs) => window.record(nowMs)),
    [1, 2, 3, 3, 3, 3],
  );
  assert.deepEqual([window.count(13), window.count(14), window.count(22)], [2, 1, 0]);
});

test("law: a backoff is a number from 0 to its cap, and never shrinks with the crashes but for jitter", () => {
  const rows = fc.record({
    backoff: fc.constantFrom<Backoff>("CONSTANT", "LINEAR", "EXPONENTIAL"),
    backoffBaseMs: fc.oneof(
      fc.constantFrom(0, 0.5, 2 ** 31 - 1),
      fc.integer({ min: 0, max: 5000 }),
    ),
    backoffMaxMs: fc.oneof(fc.constantFrom(0, 2 ** 31 - 1), fc.integer({ min: 0, max: 90_000 })),
  });
  const counts = fc.oneof(
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom(1025, 2000, 2 ** 31 - 1),
  );
  fc.assert(
    fc.property(
      rows,
      counts,
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (row, count, random) => {
        const limits = limitsOf(row);
        const delayMs = backoffDelayMs(limits, count, random);
        assert.ok(delayMs >= 0 && delayMs <= row.backoffMaxMs, `${delayMs}`);
        assert.ok(backoffDelayMs(limits, count + 1, 0) >= backoffDelayMs(limits, count, 0));
      },
    ),
  );
});

for (const [backoff, random, wanted] of [
  ["CONSTANT", 0.5, [100, 100, 100, 100, 100]],
  ["LINEAR", 0.5, [100, 200, 300, 400, 500]],
  ["EXPONENTIAL", 0, [100, 200, 400, 800, 1000]],
  ["EXPONENTIAL", 0.5, [112.5, 225, 450, 900, 1000]],
  // Eight hundred and a quarter is the cap itself, which nothing exceeds.
  ["EXPONENTIAL", 1, [125, 250, 500, 1000, 1000]],
] as const) {
  test(`the waits of ${backoff} where the random number is ${random}: ${wanted.join(", ")}`, () => {
    const limits = limitsOf({ backoff, backoffBaseMs: 100, backoffMaxMs: 1000 });
    const waits = [1, 2, 3, 4, 5].map((count) => backoffDelayMs(limits, count, random));
    assert.deepEqual(waits, wanted);
  });
}
