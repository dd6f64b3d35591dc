import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { BurstLog } from "./burst-log.ts";
import { createTextLog } from "./log.ts";
import { TimerWheel } from "./timer-wheel.ts";

function setUp(): { lines: string[]; clock: VirtualClock; wheel: TimerWheel; bursts: BurstLog } {
  const lines: string[] = [];
  const clock = new VirtualClock();
  const wheel = new TimerWheel(clock);
  const log = createTextLog({ write: (line) => void lines.push(line.trimEnd()) });
  return { lines, clock, wheel, bursts: new BurstLog(log, { system: clock, wheel }) };
}

test("BurstLog writes the first of a burst at once and the rest as one count", async () => {
  const { lines, clock, wheel, bursts } = setUp();
  for (let id = 1; id <= 1000; id += 1) bursts.warn({ kind: "a" }, "lost", { id });
  bursts.warn({ kind: "b" }, "lost", { id: "other" });
  assert.deepEqual(lines, ["warn  lost id=1", "warn  lost id=other"]);
  await clock.advance(5010);
  assert.deepEqual(lines.slice(2), ["warn  lost: more like the one before id=1000 count=999"]);
  await clock.advance(5010);
  assert.equal(lines.length, 3);
  assert.equal(wheel.entryCount, 0);
  bursts.warn({ kind: "a" }, "lost", { id: "again" });
  assert.equal(lines.at(-1), "warn  lost id=again");
});

test("BurstLog writes no more than one line a window while a burst goes on", async () => {
  const { lines, clock, bursts } = setUp();
  for (let second = 0; second < 60; second += 1) {
    bursts.warn({ kind: "a" }, "lost", {});
    await clock.advance(1000);
  }
  assert.ok(lines.length <= 13, String(lines.length));
});

test("BurstLog.flush() writes what was held back and leaves no timer", () => {
  const { lines, wheel, bursts } = setUp();
  bursts.warn({ kind: "a" }, "lost", {});
  bursts.warn({ kind: "a" }, "lost", {});
  bursts.flush();
  assert.equal(lines.at(-1), "warn  lost: more like the one before count=1");
  assert.equal(wheel.entryCount, 0);
});

test("BurstLog tells no more than 1000 bursts apart", () => {
  const { lines, bursts } = setUp();
  for (let key = 0; key < 5000; key += 1) bursts.warn({ kind: `key ${key}` }, "lost", {});
  assert.equal(lines.length, 1001);
});

test("BurstLog keeps 20 bursts of one origin apart, and forgets origins with their bursts", async () => {
  const { lines, clock, wheel, bursts } = setUp();
  for (let round = 0; round < 2; round += 1) {
    for (let kind = 0; kind < 5000; kind += 1) {
      bursts.warn({ kind: `${kind}`, origin: "noisy" }, "lost", {});
    }
    assert.equal(lines.length, 21);
    bursts.warn({ kind: "7", origin: "quiet" }, "lost", { of: "quiet" });
    assert.equal(lines.at(-1), "warn  lost of=quiet");
    await clock.advance(20_000);
    assert.equal(wheel.entryCount, 0);
    lines.length = 0;
  }
});
