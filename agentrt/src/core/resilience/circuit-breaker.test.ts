import assert from "node:assert/strict";
import { test } from "node:test";
import { TableError } from "../values/index.ts";
import { CircuitBreaker, type CallPermit } from "./circuit-breaker.ts";
import type { CircuitBreakerPolicy } from "./policies.ts";

function setUp(policy: CircuitBreakerPolicy = {}) {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const changes: string[] = [];
  const breaker = new CircuitBreaker({
    kind: "agent",
    name: "pricing",
    policy,
    clock,
    onChange: ({ state }) => changes.push(state),
  });
  const calls = (count: number, outcome: "success" | "failure" | "neutral"): void => {
    for (let index = 0; index < count; index += 1) breaker.acquire().settle(outcome);
  };
  return { clock, breaker, changes, calls };
}

function refusal(breaker: CircuitBreaker): { retryAfterMs: number; message: string } {
  try {
    breaker.acquire();
  } catch (error) {
    assert.ok(error instanceof TableError);
    assert.equal(error.code, "AGENTRT_CIRCUIT_OPEN");
    const { retryAfterMs } = error.details as { readonly retryAfterMs: number };
    return { retryAfterMs, message: error.message };
  }
  return assert.fail("the call was let through");
}

test("a circuit opens when enough calls were made and their failure rate is reached", () => {
  const { breaker, changes, calls } = setUp({ callCountMin: 4, failureRate: 0.5 });
  calls(1, "success");
  calls(2, "failure");
  assert.deepEqual(changes, [], "three calls are too few");
  calls(1, "success");
  assert.deepEqual(changes, [], "a success opens nothing");
  calls(1, "failure");
  assert.deepEqual(changes, ["open"]);
  assert.deepEqual(refusal(breaker), {
    retryAfterMs: 30_000,
    message:
      'Cannot ask agent "pricing": its circuit is open, again in 30 s: 3 of its last 5 calls failed',
  });
});

test("calls that say nothing about the target are not counted", () => {
  const { changes, calls, breaker } = setUp({ callCountMin: 2 });
  calls(50, "neutral");
  calls(1, "failure");
  assert.deepEqual(changes, []);
  assert.equal(breaker.snapshot().callCount, 1);
});

test("failures that are older than the window are forgotten", () => {
  const { clock, changes, calls } = setUp({ callCountMin: 4, windowMs: 10_000 });
  calls(3, "failure");
  clock.nowMs = 10_000;
  calls(3, "failure");
  assert.deepEqual(changes, []);
  clock.nowMs = 19_000;
  calls(1, "failure");
  assert.deepEqual(changes, ["open"], "four within ten seconds");
});

test("after its time an open circuit lets the probes through and no more, and closes when all succeed", () => {
  const { clock, breaker, changes, calls } = setUp({ openMs: 5000, probeCount: 2 });
  calls(5, "failure");
  clock.nowMs = 4999;
  assert.equal(refusal(breaker).retryAfterMs, 1);
  clock.nowMs = 5000;
  const probes = [breaker.acquire(), breaker.acquire()];
  assert.equal(refusal(breaker).retryAfterMs, 1000, "soon");
  probes[0]?.settle("success");
  assert.equal(breaker.snapshot().state, "halfOpen", "one of two");
  probes[1]?.settle("success");
  assert.deepEqual(changes, ["open", "halfOpen", "closed"]);
  calls(4, "failure");
  assert.equal(breaker.snapshot().state, "closed", "what was before it opened is forgotten");
});

test("a probe that fails opens the circuit for its whole time again", () => {
  const { clock, breaker, changes, calls } = setUp({ openMs: 5000 });
  calls(5, "failure");
  clock.nowMs = 6000;
  breaker.acquire().settle("failure");
  assert.deepEqual(changes, ["open", "halfOpen", "open"]);
  assert.deepEqual(refusal(breaker), {
    retryAfterMs: 5000,
    message:
      'Cannot ask agent "pricing": its circuit is open, again in 5 s: a call that tried it failed, too',
  });
  assert.equal(breaker.snapshot().openedCount, 2);
});

test("a probe whose caller leaves is free for the next caller", () => {
  const { clock, breaker, calls } = setUp({ openMs: 5000 });
  calls(5, "failure");
  clock.nowMs = 5000;
  breaker.acquire().settle("neutral");
  breaker.acquire().settle("success");
  assert.equal(breaker.snapshot().state, "closed");
});

test("a probe that never ends is given up after ten minutes", () => {
  const { clock, breaker, calls } = setUp({ openMs: 5000 });
  calls(5, "failure");
  clock.nowMs = 5000;
  const lost = breaker.acquire();
  clock.nowMs = 604_500;
  assert.equal(refusal(breaker).retryAfterMs, 500);
  clock.nowMs = 605_000;
  const second = breaker.acquire();
  lost.settle("failure");
  assert.equal(breaker.snapshot().state, "halfOpen", "the lost one says nothing any more");
  second.settle("success");
  assert.equal(breaker.snapshot().state, "closed");
});

test("a call that began before the circuit opened says nothing about what came after", () => {
  const { clock, breaker, calls } = setUp({ openMs: 5000 });
  const early: CallPermit[] = [breaker.acquire(), breaker.acquire()];
  calls(5, "failure");
  early[0]?.settle("success");
  assert.equal(breaker.snapshot().state, "open");
  clock.nowMs = 5000;
  const probe = breaker.acquire();
  early[1]?.settle("failure");
  assert.equal(breaker.snapshot().state, "halfOpen");
  probe.settle("success");
  probe.settle("failure");
  assert.equal(breaker.snapshot().state, "closed", "only the first end counts");
});

test("slow calls count as failed, whether or not somebody waited for their end", () => {
  const { clock, breaker, changes } = setUp({ slowCallMs: 1000, callCountMin: 2 });
  for (const [outcome, tookMs] of [
    ["success", 1000],
    ["neutral", 500],
    ["neutral", 5000],
  ] as const) {
    const permit = breaker.acquire();
    clock.nowMs += tookMs;
    permit.settle(outcome);
  }
  assert.deepEqual(changes, ["open"]);
  const { callCount, failureCount } = breaker.snapshot();
  assert.deepEqual({ callCount, failureCount }, { callCount: 2, failureCount: 1 });
});

test("a million calls take no more room than ten", () => {
  const { clock, breaker } = setUp();
  for (let index = 0; index < 1_000_000; index += 1) {
    clock.nowMs += 0.01;
    breaker.acquire().settle("success");
  }
  assert.equal(breaker.snapshot().callCount, 1_000_000);
  clock.nowMs += 60_000;
  assert.equal(breaker.snapshot().callCount, 0);
});
