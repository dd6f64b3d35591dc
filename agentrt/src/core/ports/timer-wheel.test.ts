import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { Alarm } from "./alarm.ts";
import { TimerWheel } from "./timer-wheel.ts";

test("TimerWheel law: every armed entry is due once, never early, at most one tick late; a disarmed one never", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          delayMs: fc.integer({ min: 0, max: 20_000 }),
          isDisarmed: fc.boolean(),
          pauseMs: fc.integer({ min: 0, max: 300 }),
        }),
        { maxLength: 30, size: "max" },
      ),
      async (rows) => {
        const clock = new VirtualClock();
        const wheel = new TimerWheel(clock);
        const dueAtMs = new Map<number, number>();
        const deadlines = new Map<number, number>();
        for (const [index, row] of rows.entries()) {
          const alarm = new Alarm(() => {
            assert.ok(!dueAtMs.has(index));
            dueAtMs.set(index, clock.monotonicMs());
          });
          const deadlineMs = clock.monotonicMs() + row.delayMs;
          wheel.arm(alarm, deadlineMs);
          if (row.isDisarmed) wheel.disarm(alarm);
          else deadlines.set(index, deadlineMs);
          await clock.advance(row.pauseMs);
        }
        await clock.advance(25_000);
        assert.deepEqual(new Set(dueAtMs.keys()), new Set(deadlines.keys()));
        for (const [index, deadlineMs] of deadlines) {
          const lateMs = (dueAtMs.get(index) ?? 0) - deadlineMs;
          assert.ok(lateMs >= 0 && lateMs <= 10, `${lateMs} ms late`);
        }
        assert.equal(wheel.entryCount, 0);
      },
    ),
    { numRuns: 30 },
  );
});

test("TimerWheel: an entry that is due may arm and disarm others", async () => {
  const clock = new VirtualClock();
  const wheel = new TimerWheel(clock);
  const seen: string[] = [];
  const victim = new Alarm(() => seen.push("victim"));
  const later = new Alarm(() => seen.push("later"));
  const first = new Alarm(() => {
    seen.push("first");
    wheel.disarm(victim);
    wheel.arm(later, clock.monotonicMs());
  });
  wheel.arm(first, 5);
  wheel.arm(victim, 5);
  await clock.advance(100);
  assert.deepEqual(seen, ["first", "later"]);
});

test("TimerWheel keeps one system timer however many entries are armed, and none when it is closed", () => {
  const clock = new VirtualClock();
  const wheel = new TimerWheel(clock);
  for (let index = 0; index < 100; index += 1) wheel.arm(new Alarm(() => undefined), 1000 - index);
  assert.equal(clock.timerCount, 1);
  wheel.close();
  assert.equal(clock.timerCount, 0);
  wheel.arm(new Alarm(() => undefined), 5);
  assert.equal(clock.timerCount, 0, "a closed wheel keeps no process alive");
});

test("TimerWheel sleeps through to a deadline weeks away, in sleeps that a timer can hold", async () => {
  const clock = new VirtualClock();
  const sleepsMs: number[] = [];
  const setTimer = clock.setTimer.bind(clock);
  clock.setTimer = (delayMs, callback) => {
    sleepsMs.push(delayMs);
    return setTimer(delayMs, callback);
  };
  const wheel = new TimerWheel(clock);
  const dueAtMs: number[] = [];
  const soon = new Alarm(() => dueAtMs.push(clock.monotonicMs()));
  wheel.arm(soon, 50);
  // The longest that Node's timers hold; rounded up to a tick it is more, which Node would take for 1 ms.
  wheel.arm(new Alarm(() => dueAtMs.push(clock.monotonicMs())), 2_147_483_647);
  await clock.advance(2_147_483_647 + 10);
  assert.deepEqual(dueAtMs, [50, 2_147_483_650]);
  assert.deepEqual(sleepsMs, [50, 2_147_483_600]);
  wheel.arm(soon, clock.monotonicMs() + 2_147_483_647);
  assert.ok((sleepsMs.at(-1) ?? 0) <= 2_147_483_647, `${sleepsMs.at(-1)}`);
});
