/** What `top` says of the time between two pictures. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "./pace.ts";

const picture = (timestamp: number, more: object): object => ({
  timestamp,
  agents: [{ name: "desk", kind: "agent", class: "Desk", ...more }],
});

test("the mean of a time is of the messages of that time, and not of the agent's life", () => {
  const pace = new Pace();
  assert.equal(pace.isNew, true);
  pace.measure(picture(100, { latency_sum_ms: 1_000_000, latency_count: 1_000_000 }));
  assert.deepEqual([pace.isNew, pace.meanMs("desk")], [false, undefined]);
  pace.measure(picture(102, { latency_sum_ms: 1_000_900, latency_count: 1_000_002 }));
  assert.equal(pace.meanMs("desk"), 450);
  pace.measure(picture(104, { latency_sum_ms: 1_000_900, latency_count: 1_000_002 }));
  assert.equal(pace.meanMs("desk"), undefined);
  // Another process: it counts from 0.
  pace.measure(picture(106, { latency_sum_ms: 5, latency_count: 1 }));
  assert.deepEqual([pace.meanMs("desk"), pace.meanMs("nobody")], [undefined, undefined]);
});

test("tokens are told by the minute", () => {
  const pace = new Pace();
  pace.measure(picture(100, { tokens_in: 10, tokens_out: 0 }));
  assert.equal(pace.tokensPerMinute("desk"), 0);
  pace.measure(picture(130, { tokens_in: 60, tokens_out: 50 }));
  assert.deepEqual([pace.tokensPerMinute("desk"), pace.tokensPerMinute("nobody")], [200, 0]);
});
