import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { JsonObject } from "../../core/values/json.ts";
import type { System } from "../../core/ports/system.ts";
import { ManualTime } from "../test-support/manual-time.ts";
import { EventStream } from "./event-stream.ts";

interface Setup {
  readonly stream: EventStream;
  readonly timers: ManualTime;
  readonly pulledCount: () => number;
  readonly isLeft: () => boolean;
  readonly overCount: () => number;
}

function create(options: {
  count: number;
  replayCountMax?: number;
  replayLengthMax?: number;
}): Setup {
  const timers = new ManualTime();
  const state = { pulledCount: 0, isLeft: false, overCount: 0 };
  const chunks: AsyncIterator<JsonObject, undefined> = {
    next: async () => {
      if (state.pulledCount >= options.count) return { done: true, value: undefined };
      state.pulledCount += 1;
      return { done: false, value: { number: state.pulledCount } };
    },
    return: async () => {
      state.isLeft = true;
      return { done: true, value: undefined };
    },
  };
  const stream = new EventStream({
    system: timers as unknown as System,
    chunks,
    describe: String,
    replayCountMax: options.replayCountMax ?? 1_000,
    replayLengthMax: options.replayLengthMax ?? 1_000_000,
    resumeTimeoutMs: 1_000,
    onOver: () => void (state.overCount += 1),
  });
  return {
    stream,
    timers,
    pulledCount: () => state.pulledCount,
    isLeft: () => state.isLeft,
    overCount: () => state.overCount,
  };
}

/** Reads some events, or all, and goes away. */
async function take(stream: EventStream, lastId: number, countMax: number): Promise<number[]> {
  const ids: number[] = [];
  const iterator = stream.read(lastId)[Symbol.asyncIterator]();
  while (ids.length < countMax) {
    const { done, value } = await iterator.next();
    if (done === true) return ids;
    ids.push(Number(/^id: (\d+)\n/.exec(value)?.[1]));
    assert.equal(value, `id: ${ids.at(-1)}\ndata: {"number":${ids.at(-1)}}\n\n`);
  }
  await iterator.return?.();
  return ids;
}

test("an event stream gives every event once and in order, however often its client goes and comes back", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 30 }),
      fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 10 }),
      async (count, takes) => {
        const { stream } = create({ count });
        const seen: number[] = [];
        for (const each of [...takes, 100]) {
          seen.push(...(await take(stream, seen.at(-1) ?? 0, each)));
        }
        assert.deepEqual(
          seen,
          Array.from({ length: count }, (_, index) => index + 1),
        );
        assert.equal(stream.isSeen(count), true);
      },
    ),
  );
});

test("an event stream asks for no chunk before it is read, and keeps the latest events alone", async () => {
  const { stream, pulledCount } = create({ count: 100, replayCountMax: 4 });
  const iterator = stream.read(0)[Symbol.asyncIterator]();
  assert.equal(pulledCount(), 0);
  for (let readCount = 0; readCount < 10; readCount += 1) await iterator.next();
  assert.equal(pulledCount(), 10);
  assert.deepEqual(
    [5, 6, 10, 11].map((id) => stream.isKept(id)),
    [false, true, true, false],
  );
  const short = create({ count: 100, replayLengthMax: 60 });
  await take(short.stream, 0, 10);
  assert.deepEqual(
    [7, 8, 10].map((id) => short.stream.isKept(id)),
    [false, true, true],
  );
});

test("an event stream that nobody comes back to is left when its time is over, once", async () => {
  const setup = create({ count: 100 });
  await take(setup.stream, 0, 3);
  assert.deepEqual([setup.stream.isDetached, setup.isLeft()], [true, false]);
  await take(setup.stream, 3, 3);
  assert.equal(setup.timers.pending.size, 1);
  setup.timers.pass(1_000);
  setup.stream.close();
  assert.deepEqual([setup.isLeft(), setup.overCount()], [true, 1]);
});

test("an event stream that is never read is left when its time is over", () => {
  const setup = create({ count: 100 });
  setup.stream.read(0);
  setup.timers.pass(1_000);
  assert.deepEqual([setup.isLeft(), setup.overCount(), setup.pulledCount()], [true, 1, 0]);
});

test("the second reader of an event stream takes it from the first", async () => {
  const { stream } = create({ count: 100 });
  const first = stream.read(0)[Symbol.asyncIterator]();
  await first.next();
  const second = stream.read(1)[Symbol.asyncIterator]();
  assert.equal((await first.next()).done, true);
  await first.return?.();
  assert.equal(stream.isDetached, false);
  assert.match((await second.next()).value ?? "", /^id: 2\n/);
});
