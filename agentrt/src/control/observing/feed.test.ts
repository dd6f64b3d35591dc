import assert from "node:assert/strict";
import { test } from "node:test";
import { Feed, type FeedPiece } from "./feed.ts";

/** Timers that fire when the test says so. */
class Timers {
  readonly #open = new Set<() => void>();

  setTimer(_delayMs: number, callback: () => void): { timer: unknown } {
    this.#open.add(callback);
    return { timer: callback };
  }

  clearTimer(handle: { timer: unknown }): void {
    this.#open.delete(handle.timer as () => void);
  }

  get count(): number {
    return this.#open.size;
  }

  fire(): void {
    for (const callback of this.#open) callback();
  }
}

function setUp(options: { lengthMax?: number; followerCountMax?: number } = {}) {
  const timers = new Timers();
  const { lengthMax = 4, followerCountMax = 2 } = options;
  const feed = new Feed<string>({ system: timers, lengthMax, followerCountMax, quietMs: 1000 });
  return { timers, feed };
}

const all = (): boolean => true;

async function taken(
  iterator: AsyncIterator<FeedPiece<string>, undefined>,
  count: number,
): Promise<string[]> {
  const shown: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { value, done } = await iterator.next();
    if (done === true) return [...shown, "end"];
    if (value.kind === "item") shown.push(`${value.number} ${value.item}`);
    else shown.push(value.kind === "gap" ? `gap ${value.missedCount}` : "quiet");
  }
  return shown;
}

test("a follower gets what is kept from its place on, then what comes, and quiet after a time", async () => {
  const { feed, timers } = setUp();
  for (const item of ["a", "b", "c"]) feed.publish(item);
  const follower = feed.follow({ from: 2, wants: all });
  assert.deepEqual(await taken(follower, 2), ["2 b", "3 c"]);
  const next = taken(follower, 1);
  feed.publish("d");
  assert.deepEqual(await next, ["4 d"]);
  const quiet = taken(follower, 1);
  timers.fire();
  assert.deepEqual(await quiet, ["quiet"]);
});

test("a follower that does not read holds nothing up, and is told what it missed", async () => {
  const { feed } = setUp({ lengthMax: 4 });
  const follower = feed.follow({ from: 1, wants: all });
  for (let count = 1; count <= 10_000; count += 1) feed.publish(`${count}`);
  assert.deepEqual(await taken(follower, 3), ["gap 9996", "9997 9997", "9998 9998"]);
  for (let count = 1; count <= 4; count += 1) feed.publish("x");
  assert.deepEqual(await taken(follower, 2), ["gap 2", "10001 x"]);
});

test("what is not wanted is passed over, and the last of what is wanted are found", async () => {
  const { feed } = setUp({ lengthMax: 10 });
  for (const item of ["a1", "b1", "a2", "b2", "a3"]) feed.publish(item);
  const wants = (item: string): boolean => item.startsWith("a");
  assert.equal(feed.numberOfLast(2, wants), 3);
  assert.equal(feed.numberOfLast(9, wants), 1);
  assert.equal(feed.numberOfLast(0, wants), 6);
  assert.deepEqual(await taken(feed.follow({ from: 1, wants }), 3), ["1 a1", "3 a2", "5 a3"]);
});

test("a follower that leaves while it waits is gone with its timer; an end ends all of them", async () => {
  const { feed, timers } = setUp({ followerCountMax: 2 });
  const [first, second] = [
    feed.follow({ from: 1, wants: all }),
    feed.follow({ from: 1, wants: all }),
  ];
  assert.equal(feed.isFull, false);
  const ends = [taken(first, 1), taken(second, 1)];
  assert.equal(feed.isFull, true);
  assert.equal(timers.count, 2);
  await first.return?.();
  assert.deepEqual(await ends[0], ["end"]);
  assert.equal(feed.isFull, false);
  feed.end();
  assert.deepEqual(await ends[1], ["end"]);
  assert.equal(timers.count, 0);
  assert.deepEqual(await taken(feed.follow({ from: 1, wants: all }), 1), ["end"]);
});
