import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../agentrt/src/testing/index.ts";
import { Machine, Processor } from "./processors.ts";

/** When each piece of work of 1 ms is done, of so many processes with two pieces each. */
async function endsOf(coreCount: number, processCount: number, slowness = 1): Promise<number[]> {
  const clock = new VirtualClock();
  const machine = new Machine(clock, { coreCount, slowness });
  const ends: number[] = [];
  for (let number = 0; number < processCount; number += 1) {
    const processor = new Processor(machine);
    processor.work(1000, () => ends.push(clock.monotonicMs()));
    processor.work(1000, () => ends.push(clock.monotonicMs()));
  }
  await clock.advance(100);
  return ends;
}

test("a process does one thing after another, and as many processes work at a time as there are cores", async () => {
  assert.deepEqual(await endsOf(1, 1), [1, 2]);
  assert.deepEqual(await endsOf(2, 2), [1, 1, 2, 2]);
  assert.deepEqual(await endsOf(2, 4), [1, 1, 2, 2, 3, 3, 4, 4]);
  assert.deepEqual(await endsOf(8, 1), [1, 2]);
});

test("where other programs use half of a machine, all takes twice as long", async () => {
  assert.deepEqual(await endsOf(2, 2, 2), [2, 2, 4, 4]);
});
