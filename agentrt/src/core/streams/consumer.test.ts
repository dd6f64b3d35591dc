import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { StreamConsumer } from "./consumer.ts";
import type { StreamControl, StreamFrame } from "./frame.ts";
import { readStreamLimits, type StreamOptions } from "./options.ts";
import { StreamProducer } from "./producer.ts";
import { TimerWheel } from "../ports/timer-wheel.ts";

/** A producer whose caller does not matter, without a deadline. */
const nobody = { caller: {}, deadlineMs: Number.POSITIVE_INFINITY };

function open(options: StreamOptions = {}) {
  const system = new VirtualClock();
  const wheel = new TimerWheel(system);
  const sent: StreamControl[] = [];
  const consumer = new StreamConsumer({
    system,
    wheel,
    address: "far",
    send: (control) => sent.push(control),
    origin: system,
    requests: undefined,
  });
  consumer.open({ limits: readStreamLimits(options), signal: options.signal ?? undefined });
  return { consumer, sent, wheel };
}

const chunk = (seq: number): StreamFrame => ({ kind: "chunk", seq, payload: { n: seq } });
const end = (seq: number): StreamFrame => ({ kind: "end", seq });

/** Frames as a transport may deliver them; what the reader gets: numbers of chunks, then how it ended. */
async function read(frames: readonly StreamFrame[], options: StreamOptions = {}) {
  const { consumer, sent, wheel } = open(options);
  for (const frame of frames) consumer.accept(frame);
  const taken: unknown[] = [];
  try {
    for await (const { n } of consumer) taken.push(n);
    taken.push("end");
  } catch (error) {
    taken.push((error as { details: { reason: string } }).details.reason);
  }
  assert.equal(wheel.entryCount, 0);
  return { taken, sent };
}

const outOfOrder: StreamControl[] = [{ kind: "cancel", reason: "out_of_order" }];

interface Row {
  readonly what: string;
  readonly frames: readonly StreamFrame[];
  readonly taken: readonly unknown[];
  readonly sent: readonly StreamControl[];
  readonly options?: StreamOptions;
}

const rows: readonly Row[] = [
  { what: "in order", frames: [chunk(0), chunk(1), end(2)], taken: [0, 1, "end"], sent: [] },
  { what: "empty", frames: [end(0)], taken: ["end"], sent: [] },
  {
    what: "a gap",
    frames: [chunk(0), chunk(2), end(3)],
    taken: [0, "out_of_order"],
    sent: outOfOrder,
  },
  {
    what: "a chunk twice",
    frames: [chunk(0), chunk(0), end(1)],
    taken: [0, "out_of_order"],
    sent: outOfOrder,
  },
  {
    what: "swapped",
    frames: [chunk(1), chunk(0), end(2)],
    taken: ["out_of_order"],
    sent: outOfOrder,
  },
  {
    what: "an end that counts less than came",
    frames: [chunk(0), chunk(1), end(1)],
    taken: [0, 1, "out_of_order"],
    sent: outOfOrder,
  },
  {
    what: "an end that counts more than came",
    frames: [chunk(0), end(3)],
    taken: [0, "truncated_stream"],
    sent: [{ kind: "cancel", reason: "truncated_stream" }],
  },
  {
    what: "a number that is none",
    frames: [chunk(Number.NaN)],
    taken: ["out_of_order"],
    sent: outOfOrder,
  },
  {
    what: "frames behind the end",
    frames: [chunk(0), end(1), chunk(1), end(2), { kind: "error", error: new Error("late") }],
    taken: [0, "end"],
    sent: [],
  },
  {
    what: "more chunks than there is credit for",
    frames: [chunk(0), chunk(1), chunk(2), end(3)],
    options: { bufferLengthMax: 2 },
    taken: [0, 1, "slow_consumer"],
    sent: [{ kind: "cancel", reason: "slow_consumer" }],
  },
];

for (const { what, frames, taken, sent, options } of rows) {
  test(`StreamConsumer reads frames ${what}`, async () => {
    assert.deepEqual(await read(frames, options), { taken, sent });
  });
}

test("StreamConsumer gives credit in portions of half its buffer", async () => {
  const { consumer, sent } = open({ bufferLengthMax: 4 });
  for (let seq = 0; seq < 4; seq += 1) consumer.accept(chunk(seq));
  for (let taken = 0; taken < 3; taken += 1) await consumer.next();
  assert.deepEqual(sent, [{ kind: "credit", chunkCount: 2 }]);
  const waiting = [consumer.next(), consumer.next()];
  await waiting[0];
  consumer.accept(chunk(4));
  await waiting[1];
  assert.equal(sent.length, 2);
});

test("a signal that is aborted while the rest is read drops the rest; its listeners go with the stream", async () => {
  const counting = new AbortController();
  const listeners = new Set<unknown>();
  const { signal } = counting;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: unknown) => {
    listeners.add(listener);
    add(type, listener as () => void);
  };
  signal.removeEventListener = (_: string, listener: unknown) => void listeners.delete(listener);
  const whole = open({ signal }).consumer;
  whole.accept(chunk(0));
  whole.accept(end(1));
  assert.equal(listeners.size, 1);
  await whole.next();
  assert.equal(listeners.size, 0);
  const failed = open({ signal }).consumer;
  failed.accept({ kind: "error", error: new Error("crash") });
  assert.equal(listeners.size, 0);
  const left = open({ signal }).consumer;
  await left.return();
  assert.equal(listeners.size, 0);
  const aborted = open({ signal }).consumer;
  aborted.accept(chunk(0));
  aborted.accept(end(1));
  counting.abort();
  await assert.rejects(aborted.next(), { code: "AGENTRT_BUS_CANCELLED" });
  assert.deepEqual(await aborted.next(), { done: true, value: undefined });
  assert.equal(listeners.size, 0);
});

test("return() settles the reads that wait, and the control frame is sent once", async () => {
  const { consumer, sent } = open();
  const reads = [consumer.next(), consumer.next()];
  await consumer.return();
  await consumer.return();
  const done = { done: true, value: undefined };
  assert.deepEqual(await Promise.all(reads), [done, done]);
  assert.deepEqual(sent, [{ kind: "cancel", reason: "its consumer has left" }]);
});

test("StreamProducer numbers chunks, waits for credit, and sends the end behind what waits", async () => {
  const frames: StreamFrame[] = [];
  const producer = new StreamProducer({
    agent: "near",
    creditChunkCount: 2,
    ...nobody,
    send: (frame) => frames.push(frame),
  });
  assert.equal(producer.push({ n: 0 }), undefined);
  assert.equal(producer.push({ n: 1 }), undefined);
  const waiting = [producer.push({ n: 2 }), producer.push({ n: 3 })];
  const ended = producer.end();
  assert.ok(ended instanceof Promise);
  assert.throws(() => producer.push({ n: 4 }), { code: "AGENTRT_STREAM_CANCELLED" });
  producer.accept({ kind: "credit", chunkCount: 1 });
  await waiting[0];
  assert.equal(producer.isOpen, true);
  producer.accept({ kind: "credit", chunkCount: 9 });
  await Promise.all([waiting[1], ended]);
  assert.deepEqual(frames, [...[0, 1, 2, 3].map(chunk), end(4)]);
  producer.reject(new Error("too late"));
  producer.resolve({});
  producer.accept({ kind: "cancel", reason: "too late" });
  assert.equal(frames.length, 5);
  assert.equal(producer.cancellation.signal.aborted, false);
});

test("StreamProducer: a cancel wakes whoever waits for room, with one error for all", async () => {
  const producer = new StreamProducer({
    agent: "near",
    creditChunkCount: 1,
    ...nobody,
    send: () => {},
  });
  assert.equal(producer.push({}), undefined);
  const { signal } = producer.cancellation;
  const waiting = producer.push({});
  producer.accept({ kind: "cancel", reason: "out_of_order" });
  const error = await (waiting ?? Promise.resolve()).then(
    () => undefined,
    (refused: unknown) => refused,
  );
  assert.match(String(error), /the stream is over: out_of_order/);
  assert.equal(signal.reason, error);
  assert.equal(producer.isCausedByEnd(error), true);
  assert.equal(producer.isCausedByEnd(new Error("x", { cause: error })), true);
  assert.equal(producer.isCausedByEnd(new DOMException("aborted", "AbortError")), true);
  for (const other of [new Error("x"), undefined, null, "x"])
    assert.equal(producer.isCausedByEnd(other), false);
});
