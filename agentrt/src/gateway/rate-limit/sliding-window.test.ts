import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { SlidingWindow } from "./sliding-window.ts";

test("no stretch of a window's length holds more than the allowed requests, and few windows waste any", () => {
  const steps = fc.array(fc.nat({ max: 400 }), { maxLength: 400 });
  const limits = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 257, max: 300 }));
  fc.assert(
    fc.property(steps, limits, (pausesMs, requestCountMax) => {
      const windowMs = 1000;
      const window = new SlidingWindow({ requestCountMax, windowMs });
      const allowedAtMs: number[] = [];
      let nowMs = 0;
      for (const pauseMs of pausesMs) {
        nowMs += requestCountMax > 256 ? Math.floor(pauseMs / 100) : pauseMs;
        const recentCount = allowedAtMs.filter((atMs) => atMs > nowMs - windowMs).length;
        const verdict = window.hit("ada", nowMs);
        // Exact up to 256; above that a request may count for the 256th part of the window longer.
        const longest = nowMs - windowMs - (requestCountMax > 256 ? windowMs / 256 : 0);
        const longCount = allowedAtMs.filter((atMs) => atMs > longest).length;
        if (verdict.isAllowed) allowedAtMs.push(nowMs);
        assert.ok(verdict.isAllowed ? recentCount < requestCountMax : longCount >= requestCountMax);
        if (!verdict.isAllowed) {
          assert.ok(verdict.retryAfterMs > 0 && verdict.retryAfterMs <= windowMs * (1 + 1 / 256));
        }
      }
    }),
  );
});

test("a request is allowed as soon as a refusal said it would be, and not before", () => {
  const window = new SlidingWindow({ requestCountMax: 2, windowMs: 1000 });
  assert.deepEqual(window.hit("ada", 0), {
    isAllowed: true,
    remainingCount: 1,
    retryAfterMs: 0,
    resetAfterMs: 1000,
  });
  assert.equal(window.hit("ada", 600).isAllowed, true);
  assert.deepEqual(window.hit("ada", 700), {
    isAllowed: false,
    remainingCount: 0,
    retryAfterMs: 300,
    resetAfterMs: 900,
  });
  assert.equal(window.hit("ada", 999).isAllowed, false);
  assert.equal(window.hit("ada", 1000).isAllowed, true);
  assert.equal(window.hit("ada", 1001).retryAfterMs, 599);
  assert.equal(window.hit("bob", 1001).remainingCount, 1);
});

test("memory is bounded however many clients come, and clients who are gone leave none behind", () => {
  const options = { requestCountMax: 10, windowMs: 1000, clientCountMax: 100, momentCountMax: 250 };
  const window = new SlidingWindow(options);
  for (let index = 0; index < 10_000; index += 1) window.hit(`client ${index}`, index / 100);
  assert.equal(window.clientCount, 100);
  for (let index = 0; index < 2000; index += 1) window.hit(`client ${index % 90}`, 200 + index);
  assert.ok(window.momentCount <= 250, `${window.momentCount}`);
  for (let index = 0; index < 100; index += 1) window.hit("ada", 10_000);
  assert.deepEqual([window.clientCount, window.momentCount], [1, 1]);
});

test("a client who asks without end is not forgotten, and stays refused, while others come and go", () => {
  const window = new SlidingWindow({ requestCountMax: 1, windowMs: 1000, clientCountMax: 10 });
  window.hit("ada", 0);
  for (let index = 0; index < 900; index += 1) {
    assert.equal(window.hit("ada", index).isAllowed, false);
    window.hit(`client ${index}`, index);
  }
});

test("a window of a million requests keeps 257 moments", () => {
  const window = new SlidingWindow({ requestCountMax: 1_000_000, windowMs: 60_000 });
  for (let index = 0; index < 100_000; index += 1) window.hit("ada", index * 2);
  assert.ok(window.momentCount <= 257, `${window.momentCount}`);
});
