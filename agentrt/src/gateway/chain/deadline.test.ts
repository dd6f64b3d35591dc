import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import type { GatewayResponse } from "../request.ts";
import { Deadline } from "./deadline.ts";

const timeoutMs = 100;
const fine: GatewayResponse = { status: 200, body: "fine" };

/** Counts the timers that are set and not cleared. */
class CountingClock extends VirtualClock {
  readonly pending = new Set<unknown>();
  setCount = 0;

  override setTimer(delayMs: number, callback: () => void): ReturnType<VirtualClock["setTimer"]> {
    this.setCount += 1;
    const handle = super.setTimer(delayMs, () => {
      this.pending.delete(handle);
      callback();
    });
    this.pending.add(handle);
    return handle;
  }

  override clearTimer(handle: ReturnType<VirtualClock["setTimer"]>): void {
    this.pending.delete(handle);
    super.clearTimer(handle);
  }
}

interface Begun {
  readonly signal: AbortSignal;
  readonly answer: (response: GatewayResponse) => void;
  readonly fail: (error: Error) => void;
  /** Status and time of the answer, once it is there. */
  readonly ended: { at?: number; status?: number; error?: unknown };
}

function begin(deadline: Deadline, clock: VirtualClock, gone?: AbortSignal): Begun {
  const { promise, resolve, reject } = Promise.withResolvers<GatewayResponse>();
  const ended: Begun["ended"] = {};
  let own: AbortSignal | undefined;
  const bounded = deadline.bound(gone ?? new AbortController().signal, async (signal) => {
    own = signal;
    return await promise;
  });
  const note = (found: Begun["ended"]): object =>
    Object.assign(ended, { at: clock.monotonicMs(), ...found });
  bounded.then(
    ({ status }) => note({ status }),
    (error: unknown) => note({ error }),
  );
  assert.ok(own !== undefined, "it runs at once");
  return { signal: own, answer: resolve, fail: reject, ended };
}

test("each request is late after its own time, whatever the others do, and one timer waits for all", async () => {
  const clock = new CountingClock();
  const deadline = new Deadline(clock, timeoutMs);
  const requests: Begun[] = [];
  for (let index = 0; index < 6; index += 1) {
    requests.push(begin(deadline, clock));
    assert.equal(clock.pending.size, 1);
    await clock.advance(10);
  }
  // The first, one in the middle, and the last are answered in time, out of order.
  for (const index of [3, 0, 5]) requests[index]?.answer(fine);
  await clock.advance(1);
  await clock.advance(1_000);
  assert.deepEqual(
    requests.map(({ ended }) => [ended.status, ended.at]),
    [
      [200, 60],
      [504, 110],
      [504, 120],
      [200, 60],
      [504, 140],
      [200, 60],
    ],
  );
  assert.deepEqual(
    requests.map(({ signal }) => [signal.aborted, (signal.reason as Error | undefined)?.name]),
    requests.map(({ ended }) =>
      ended.status === 504 ? [true, "TimeoutError"] : [false, undefined],
    ),
  );
  assert.equal(clock.pending.size, 0);
});

test("without requests no timer waits, and the next request begins one", async () => {
  const clock = new CountingClock();
  const deadline = new Deadline(clock, timeoutMs);
  const first = begin(deadline, clock);
  const second = begin(deadline, clock);
  first.answer(fine);
  await clock.advance(99);
  assert.equal(clock.pending.size, 1);
  second.fail(new Error("broken"));
  await clock.advance(0);
  assert.equal(clock.pending.size, 0);
  assert.match(String(second.ended.error), /broken/);
  const third = begin(deadline, clock);
  await clock.advance(99);
  assert.equal(third.ended.status, undefined);
  await clock.advance(1);
  assert.equal(third.ended.status, 504);
  third.fail(new Error("too late for anybody to hear"));
  await clock.advance(0);
  assert.deepEqual(third.ended, { at: 199, status: 504 });
});

test("a request whose abort begins and ends others neither loses nor delays the rest", async () => {
  const clock = new CountingClock();
  const deadline = new Deadline(clock, timeoutMs);
  const first = begin(deadline, clock);
  const second = begin(deadline, clock);
  await clock.advance(10);
  const third = begin(deadline, clock);
  let fresh: Begun | undefined;
  first.signal.addEventListener("abort", () => {
    fresh = begin(deadline, clock);
    second.answer(fine);
  });
  await clock.advance(1_000);
  assert.deepEqual(
    [first, second, third, fresh].map((request) => [request?.ended.status, request?.ended.at]),
    [
      [504, 100],
      [504, 100],
      [504, 110],
      [504, 200],
    ],
  );
  assert.equal(clock.pending.size, 0);
});

test("who works on a request hears that its client has gone, also when it went before", async () => {
  const clock = new CountingClock();
  const deadline = new Deadline(clock, timeoutMs);
  const client = new AbortController();
  const request = begin(deadline, clock, client.signal);
  const other = begin(deadline, clock);
  const reason = new Error("gone");
  client.abort(reason);
  assert.equal(request.signal.reason, reason);
  assert.equal(other.signal.aborted, false);
  assert.equal(begin(deadline, clock, client.signal).signal.reason, reason);
  request.answer(fine);
  await clock.advance(50);
  assert.equal(request.ended.status, 200);
});
