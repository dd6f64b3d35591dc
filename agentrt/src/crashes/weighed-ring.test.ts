/** What agents remember is bounded, for each and for all of them together; the message at hand is known whatever it weighs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lightWeightMax, ringLengthMax, ringWeightMax, weightMaxOfAll } from "./limits.ts";
import { TrailRoom } from "./trail-room.ts";
import { WeighedRing } from "./weighed-ring.ts";
import { weightOf } from "./weight.ts";

const item = (length: number): { readonly text: string } => ({ text: "x".repeat(length) });
type Item = ReturnType<typeof item>;
const itemsOf = (ring: WeighedRing<Item>): Item[] => ring.kept().map((each) => each.item);

test("light ones are kept in their order, the latest of them", () => {
  const ring = new WeighedRing<Item>(new TrailRoom());
  const all = Array.from({ length: ringLengthMax + 5 }, (_, index) => item(index));
  for (const each of all) ring.add(each, each);
  assert.deepEqual(itemsOf(ring), all.slice(5));
});

test("heavy ones are held up to a weight: older ones go, and what was before them", () => {
  const room = new TrailRoom();
  const ring = new WeighedRing<Item>(room);
  const length = ringWeightMax / 4;
  for (let count = 0; count < 20; count += 1) {
    const each = item(length);
    ring.add(each, each);
    const light = item(1);
    ring.add(light, light);
  }
  const lengths = itemsOf(ring).map(({ text }) => text.length);
  assert.deepEqual(lengths, [1, length, 1, length, 1, length, 1]);
});

test("one that is too heavy is known only to who has it", () => {
  const ring = new WeighedRing<Item>(new TrailRoom());
  const [light, atHand] = [item(1), item(ringWeightMax + 1)];
  ring.add(light, light);
  ring.add(atHand, atHand);
  assert.deepEqual(
    ring.kept(atHand).map((each) => each.item),
    [light, atHand],
  );
  assert.deepEqual(itemsOf(ring), []);
});

test("all rings together hold no more than the room, and give it back", () => {
  const room = new TrailRoom();
  const length = ringWeightMax - 100;
  const rings = Array.from({ length: Math.floor(weightMaxOfAll / length) + 10 }, () => {
    const ring = new WeighedRing<Item>(room);
    const heavy = item(length);
    ring.add(heavy, heavy);
    return ring;
  });
  assert.ok(!room.take(ringWeightMax));
  for (const ring of rings) ring.clear();
  assert.ok(room.take(weightMaxOfAll));
});

test("a weight stops at what is asked for, whatever the value is", () => {
  assert.ok(weightOf({ a: 1, b: "text", c: [true, null] }, 1000) < lightWeightMax);
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index, 1]));
  assert.ok(weightOf(wide, 1_000_000) > 1_000_000);
  assert.ok(weightOf("x".repeat(5000), 1000) > 1000);
});
