/** Messages of many keys that a broker keeps: each key in its order, and none stands in the way of the others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../testing/virtual-clock.ts";
import { FairLines, type OpenDelivery } from "./fair-lines.ts";
import type { StoredDelivery } from "./stored-topics.ts";

/** A broker that reads what is parked when it is asked to, at once. */
function make() {
  const clock = new VirtualClock();
  const inWork = new Map<string, OpenDelivery>();
  const begun: string[] = [];
  const gone = new Set<string>();
  const said: string[] = [];
  let parkedCount = 0;
  const begin = (delivery: OpenDelivery | undefined): void => {
    if (delivery === undefined) return;
    const name = Buffer.from(delivery.bytes).toString().trim();
    begun.push(name);
    inWork.set(name, delivery);
  };
  const lines = new FairLines({ system: clock, serve: begin });
  const deliveryOf = (name: string, sizeBytes: number): StoredDelivery => ({
    bytes: Buffer.from(name.padEnd(sizeBytes)),
    done: () => said.push(`done ${name}`),
    later: () => said.push(`later ${name}`),
    park: (isAgain) => {
      parkedCount += 1;
      if (isAgain === true) said.push(`again ${name}`);
      return (take) => {
        parkedCount -= 1;
        take(gone.has(name) ? undefined : deliveryOf(name, sizeBytes));
      };
    },
  });
  const come = (line: string, count: number, sizeBytes = 0): void => {
    for (let number = 0; number < count; number += 1)
      begin(lines.enter(line, deliveryOf(`${line}:${number}`, sizeBytes)));
  };
  const take = (name: string): OpenDelivery => {
    const delivery = inWork.get(name);
    assert.ok(delivery !== undefined, `${name} is not in work`);
    inWork.delete(name);
    return delivery;
  };
  return {
    clock,
    lines,
    inWork,
    begun,
    said,
    gone,
    come,
    done: (name: string): void => take(name).done(),
    later: (name: string, delayMs: number): void => take(name).later(delayMs),
    parked: (): number => parkedCount,
    begunOf: (line: string): number => begun.filter((name) => name.startsWith(`${line}:`)).length,
  };
}

test("a line that stands still has little of the room, hundreds of them leave some, and each goes on in its order", () => {
  const { come, begunOf, begun, done, parked } = make();
  come("a", 5000);
  assert.equal(begunOf("a"), 32);
  for (let line = 0; line < 200; line += 1) come(`s${line}`, 300);
  come("z", 2);
  assert.equal(begunOf("z"), 1);
  assert.ok(parked() > 60_000);
  done("z:0");
  assert.equal(begunOf("z"), 2);
  for (let number = 0; number < 5000; number += 1) done(`a:${number}`);
  assert.deepEqual(
    begun.filter((name) => name.startsWith("a:")),
    Array.from({ length: 5000 }, (_, number) => `a:${number}`),
  );
});

test("where no room is left at all, a line with nothing in work is the next one", () => {
  const { come, begunOf, inWork, done } = make();
  for (let line = 0; line < 2500; line += 1) come(`s${line}`, 1);
  assert.equal(inWork.size, 2048);
  come("z", 3);
  assert.equal(begunOf("z"), 0);
  for (let line = 0; line < 453; line += 1) done(`s${line}:0`);
  assert.equal(begunOf("z"), 1);
});

test("large messages take more of the room", () => {
  const { come, begunOf } = make();
  come("a", 100, 16 * 32 * 1024);
  assert.equal(begunOf("a"), 2);
  come("b", 1, 70 * 1024 * 1024);
  assert.equal(begunOf("b"), 1);
  come("c", 1);
  assert.equal(begunOf("c"), 0);
});

test("a message that could not be handled comes again before those behind it, after the wait", async () => {
  const { come, clock, later, begun, said, done, parked } = make();
  come("a", 400);
  for (let number = 10; number > 1; number -= 1) later(`a:${number}`, 1000);
  assert.equal(parked(), 400 - 32 + 9);
  const count = begun.length;
  done("a:0");
  assert.equal(begun.length, count);
  await clock.advance(1000);
  assert.deepEqual(begun.slice(count, count + 10), [
    ...Array.from({ length: 9 }, (_, index) => `a:${index + 2}`),
    "a:32",
  ]);
  assert.deepEqual(
    said.filter((each) => each.startsWith("again")).toSorted(),
    Array.from({ length: 9 }, (_, index) => `again a:${index + 2}`).toSorted(),
  );
});

test("one that is gone has no room, and the next one is served", () => {
  const { come, gone, done, begun } = make();
  come("a", 35);
  gone.add("a:32").add("a:33");
  done("a:0");
  assert.equal(begun.at(-1), "a:34");
  done("a:1");
  done("a:2");
});

test("after its end nothing is served, and what is in work is given back to the broker", async () => {
  const { come, lines, later, done, said, begun, clock } = make();
  come("a", 500);
  later("a:5", 1000);
  lines.end();
  const count = begun.length;
  await clock.advance(5000);
  done("a:0");
  later("a:1", 1000);
  assert.deepEqual([begun.length, said.slice(-2)], [count, ["done a:0", "later a:1"]]);
});
