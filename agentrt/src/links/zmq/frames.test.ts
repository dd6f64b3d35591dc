/** How messages lie in ZeroMQ's, and what is known to be missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as check, constant, integer, oneof, property, string } from "fast-check";
import { piecesOf, prefixOf, readHead, writeHead } from "./frames.ts";
import { LossCounter } from "./loss-counter.ts";
import { SendQueue, TopicCounters } from "./send-queue.ts";
import { Subscription } from "./subscription.ts";
import { VirtualClock } from "../../testing/index.ts";

test("a head is read as it was written, whatever the address is", () => {
  const addresses = oneof(string(), constant("a\0b"), constant("%00"), constant("%"));
  check(
    property(addresses, integer({ min: 0, max: 2 ** 48 - 1 }), (topic, sequence) => {
      const head = writeHead(prefixOf(topic), { kind: "messages", sequence, sender: "0196-x" });
      assert.deepEqual(readHead(head), { topic, kind: "messages", sequence, sender: "0196-x" });
    }),
  );
});

test("no prefix begins another one", () => {
  check(
    property(string(), string(), (one, other) => {
      const [first, second] = [prefixOf(one), prefixOf(other)];
      assert.equal(second.subarray(0, first.length).equals(first), one === other);
    }),
  );
});

test("a message that the client library would lend is sent in pieces that it copies; a large one is sent as it is", () => {
  const bytes = Buffer.from(Array.from({ length: 2000 }, (_, index) => index % 251));
  for (let length = 0; length < bytes.length; length += 1) {
    const message = bytes.subarray(0, length);
    const pieces = piecesOf(message);
    assert.equal(pieces !== undefined, length > 128 && length <= 1024, String(length));
    if (pieces === undefined) continue;
    assert.ok(pieces.every((piece) => piece.length <= 128));
    assert.deepEqual(Buffer.concat(pieces), message);
  }
});

test("a message in pieces that the socket does not take is one that is lost", async () => {
  const failed: number[] = [];
  const sent: number[] = [];
  const queue = new SendQueue(
    {
      sender: "x",
      send: async (parts) => {
        sent.push(parts.length);
        throw Object.assign(new Error("no"), { code: "EFAULT" });
      },
      system: new VirtualClock(),
      onFailed: (_, messageCount) => failed.push(messageCount),
    },
    new TopicCounters(),
  );
  queue.push("to", Buffer.alloc(300));
  await new Promise<void>((resolve) => setImmediate(resolve));
  assert.deepEqual([sent, failed], [[4], [1]]);
});

test("what is no head is none", () => {
  const head = writeHead(prefixOf("a"), { kind: "probe", sequence: 1, sender: "" });
  assert.equal(readHead(head)?.kind, "probe");
  for (const bytes of [
    Buffer.of(),
    Buffer.from("abc"),
    Buffer.from("abc\0"),
    head.subarray(0, -1),
    Buffer.concat([Buffer.from("a\0"), Buffer.of(9), head.subarray(3)]),
  ])
    assert.equal(readHead(bytes), undefined);
});

test("a gap in the numbers of a sender is what is missing; the first number and a new beginning are none", () => {
  const got: string[] = [];
  const subscription = new Subscription("a");
  subscription.add((bytes) => got.push(Buffer.from(bytes).toString()));
  const take = (sender: string, first: number, ...texts: string[]): number =>
    subscription.take(
      sender,
      first,
      texts.map((text) => Buffer.from(text)),
    );
  assert.deepEqual(
    [
      take("x", 5, "1", "2"),
      take("x", 7, "3"),
      take("y", 90, "4"),
      take("x", 11, "5"),
      take("x", 1, "6"),
      take("x", 2, "7"),
    ],
    [0, 0, 0, 3, 0, 0],
  );
  assert.deepEqual(got, ["1", "2", "3", "4", "5", "6", "7"]);
});

test("losses are told at once, then at most each second, and all of them", async () => {
  const clock = new VirtualClock();
  const told: object[] = [];
  const losses = new LossCounter(clock, (counts) => told.push(counts));
  losses.add({ missingCount: 0 });
  for (let count = 0; count < 3; count += 1) losses.add({ missingCount: 2 });
  const first = { unsentCount: 0, missingCount: 2 };
  assert.deepEqual(told, [first]);
  await clock.advance(999);
  losses.add({ unsentCount: 1 });
  assert.equal(told.length, 1);
  await clock.advance(5001);
  const second = { unsentCount: 1, missingCount: 4 };
  assert.deepEqual(told, [first, second]);
  losses.add({ unsentCount: 5 });
  losses.add({ unsentCount: 7 });
  losses.end();
  assert.deepEqual(told, [
    first,
    second,
    { unsentCount: 5, missingCount: 0 },
    { unsentCount: 7, missingCount: 0 },
  ]);
  assert.deepEqual(losses.totals, { unsentCount: 13, missingCount: 6 });
});

test("a socket that is full is tried again until it takes the message; one that fails loses it, and says so", async () => {
  const clock = new VirtualClock();
  const answers = ["EAGAIN", "EAGAIN", "", "EFAULT", ""];
  const sent: string[] = [];
  const failed: number[] = [];
  const queue = new SendQueue(
    {
      sender: "x",
      send: async (parts) => {
        const code = answers.shift() ?? "";
        if (code !== "") throw Object.assign(new Error(code), { code });
        sent.push(...parts.slice(1).map(String));
      },
      system: clock,
      onFailed: (_, messageCount) => failed.push(messageCount),
    },
    new TopicCounters(),
  );
  for (const text of ["1", "2", "3"]) queue.push(`to ${text}`, Buffer.from(text));
  await clock.advance(100);
  assert.deepEqual([sent, failed], [["1", "3"], [1]]);
  queue.push("to 4", Buffer.from("4"));
  await clock.advance(100);
  assert.deepEqual([sent, queue.end()], [["1", "3", "4"], 0]);
});
