import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../agentrt/src/testing/index.ts";
import { Machine, Processor } from "./processors.ts";

/** When each piece of work of 1 ms is done, of so many processes with three pieces each, of which two come together. */
async function endsOf(
  machineOf: { readonly coreCount: number; readonly slowness?: number },
  processCount: number,
  turnUs = 0,
): Promise<number[]> {
  const clock = new VirtualClock();
  const machine = new Machine(clock, machineOf);
  const ends: number[] = [];
  const end = (): void => void ends.push(clock.monotonicMs());
  for (let number = 0; number < processCount; number += 1) {
    const processor = new Processor(machine, { turnUs });
    processor.work(1000, () => {
      end();
      // Both come when a turn is over, and are one turn.
      processor.work(1000, end);
      processor.work(1000, end);
    });
  }
  await clock.advance(100);
  return ends;
}

test("as many processes work at a time as there are cores, and what has come to one is one turn", async () => {
  assert.deepEqual(await endsOf({ coreCount: 1 }, 1), [1, 3, 3]);
  assert.deepEqual(await endsOf({ coreCount: 8 }, 1), [1, 3, 3]);
  assert.deepEqual(await endsOf({ coreCount: 2 }, 2), [1, 1, 3, 3, 3, 3]);
  assert.deepEqual(await endsOf({ coreCount: 1 }, 2), [1, 2, 4, 4, 6, 6]);
});

test("each turn has its cost, and where other programs use half of a machine all takes twice as long", async () => {
  assert.deepEqual(await endsOf({ coreCount: 1 }, 1, 500), [1.5, 4, 4]);
  assert.deepEqual(await endsOf({ coreCount: 1, slowness: 2 }, 1, 500), [3, 8, 8]);
});

test("what comes at one instant is one turn, of no more bytes than the process reads at a time", async () => {
  const clock = new VirtualClock();
  const machine = new Machine(clock, { coreCount: 1 });
  const processor = new Processor(machine, { turnUs: 1000, turnBytesMax: 100 });
  const ends: number[] = [];
  for (const byteCount of [60, 40, 60, 200, 10])
    processor.work(1000, () => void ends.push(clock.monotonicMs()), byteCount);
  await clock.advance(4.5);
  assert.equal(processor.busyMs, 2.5, "with the part of the turn that is over");
  await clock.advance(95.5);
  assert.deepEqual(ends, [3, 3, 5, 7, 9]);
  assert.equal(processor.busyMs, 5);
});
