import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { IdSequence } from "../values/id-sequence.ts";
import { Mailbox } from "./mailbox.ts";
import { Message } from "./message.ts";
import { RingBuffer } from "../values/ring-buffer.ts";

const ids = new IdSequence(new Uint32Array([1, 2, 3, 4]));

function makeMessage(n: number, priority: number): Message {
  return new Message({
    ids,
    sequence: n,
    type: "message",
    sender: "",
    recipient: "agent",
    payload: { n },
    timestampMs: 0,
    trace: undefined,
    reply: undefined,
    isCast: true,
    correlationId: undefined,
    priority,
    ttlMs: undefined,
    sentAtMs: 0,
  });
}

const owner = { name: "agent", onRefused: () => undefined };

test("RingBuffer is a queue: any mix of push and shift agrees with an array", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 200, size: "max" }), (pushes) => {
      const ring = new RingBuffer<number>();
      const model: number[] = [];
      for (const [index, isPush] of pushes.entries()) {
        if (isPush) {
          ring.push(index);
          model.push(index);
        } else assert.equal(ring.shift(), model.shift());
        assert.equal(ring.length, model.length);
      }
      assert.deepEqual(ring.toArray(), model);
    }),
  );
});

test("Mailbox law: whatever is sent and taken, each lane stays bounded, in order, and loses nothing", async () => {
  const action = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 0, 0, 1) },
    { weight: 2, arbitrary: fc.constant("take" as const) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 150, size: "max" }),
      fc.integer({ min: 1, max: 7 }),
      async (actions, lengthMax) => {
        const mailbox = new Mailbox(owner, lengthMax);
        const sent: { [priority: number]: number[] } = { 0: [], 1: [] };
        const taken: { [priority: number]: number[] } = { 0: [], 1: [] };
        const waits: Promise<void>[] = [];
        const take = (): boolean => {
          const message = mailbox.take();
          if (message !== undefined) {
            taken[message.priority]?.push(Number(message.payload["n"]));
          }
          return message !== undefined;
        };
        for (const [n, next] of actions.entries()) {
          if (next === "take") take();
          else {
            const message = makeMessage(n, next);
            sent[next]?.push(n);
            if (!mailbox.push(message)) waits.push(mailbox.wait(message, undefined));
          }
          assert.ok(mailbox.depth <= lengthMax + 100);
        }
        while (take());
        await Promise.all(waits);
        assert.deepEqual(taken, sent);
        assert.equal(mailbox.senderCount, 0);
      },
    ),
  );
});

test("Mailbox serves all of the priority lane before the rest", () => {
  const mailbox = new Mailbox(owner, 10);
  for (const [n, priority] of [0, 0, 5, 1].entries()) mailbox.push(makeMessage(n, priority));
  const order = [0, 1, 2, 3].map(() => mailbox.take()?.payload["n"]);
  assert.deepEqual(order, [2, 3, 0, 1]);
  assert.equal(mailbox.take(), undefined);
});

test("Mailbox refuses a sender when ten thousand wait already", async () => {
  const mailbox = new Mailbox(owner, 1);
  mailbox.push(makeMessage(0, 0));
  for (let n = 0; n < 10_000; n += 1) {
    mailbox.wait(makeMessage(n, 0), undefined).catch(() => undefined);
  }
  await assert.rejects(mailbox.wait(makeMessage(1, 0), undefined), {
    code: "AGENTRT_BUS_MAILBOX_FULL",
  });
  assert.equal(mailbox.drain(() => new Error("gone")).length, 1);
  assert.equal(mailbox.senderCount, 0);
});
