/** Messages that come again: what may end the process is begun by itself, and counted before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../testing/virtual-clock.ts";
import { Beginnings } from "./beginnings.ts";
import type { Link } from "./link.ts";

function open() {
  const clock = new VirtualClock();
  const counted: string[] = [];
  const stored = {
    duplicateCount: 0,
    store: async () => undefined,
    noteBegin: async (id: string, count: number) => void counted.push(`${id} ${count}`),
    take: () => () => undefined,
  };
  const link: Pick<Link, "stored"> = { stored };
  return { clock, counted, beginnings: new Beginnings({ link, system: clock }) };
}

test("those that were counted before begin one after another; those that were not begin at once", async () => {
  const { clock, counted, beginnings } = open();
  const [one, two, fresh] = [
    beginnings.add("one", 1),
    beginnings.add("two", 3),
    beginnings.add("fresh", 0),
  ];
  assert.equal(await one.begin(), true);
  const waiting = two.begin();
  assert.equal(await fresh.begin(), true);
  await clock.advance(1000);
  assert.deepEqual(counted, ["one 2", "fresh 1"]);
  one.end();
  assert.equal(await waiting, true);
  assert.deepEqual(counted, ["one 2", "fresh 1", "two 4"]);
});

test("one that is dropped while it waits does not begin, and is not counted; one that waits for a minute begins", async () => {
  const { clock, counted, beginnings } = open();
  const [one, two, three, four] = [1, 2, 3, 4].map((number) => beginnings.add(`m${number}`, 1));
  assert.ok(one && two && three && four);
  assert.equal(await one.begin(), true);
  const [dropped, late] = [two.begin(), three.begin()];
  two.end();
  assert.equal(await dropped, false);
  await clock.advance(59_000);
  assert.deepEqual(counted, ["m1 2"]);
  await clock.advance(1000);
  assert.equal(await late, true);
  const last = four.begin();
  one.end();
  assert.equal(await last, true);
  assert.deepEqual(counted, ["m1 2", "m3 2", "m4 2"]);
});
