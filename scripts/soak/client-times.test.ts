import assert from "node:assert/strict";
import { test } from "node:test";
import { lateOf } from "./client-times.ts";

test("what took too long is late, unless the machine was busy with something else for so long", () => {
  const times = { wholeMs: [2050, 2900], stopMs: [5, 350], nextMs: [] };
  assert.deepEqual(lateOf("SSE", { ...times, cpuWaitMs: 20 }), [
    "SSE: an answer of 2 s took 2900 ms, at most 20 ms of it without a processor",
    "SSE: the model went on for 350 ms, at most 20 ms of it without a processor",
  ]);
  assert.equal(lateOf("SSE", { ...times, cpuWaitMs: 300 }).length, 1);
  assert.deepEqual(lateOf("SSE", { ...times, cpuWaitMs: 400 }), []);
});
