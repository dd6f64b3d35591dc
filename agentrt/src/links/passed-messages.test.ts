/** Messages that another process has from a broker, and passes on to this one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Envelope } from "../wire/index.ts";
import { PassedMessages } from "./passed-messages.ts";

test("what is worked on or was handled is left out when it is passed on again, and the process that did so hears of it", () => {
  const said: string[] = [];
  const served = new Map<string, object>();
  const passed = new PassedMessages({
    served,
    say: ({ kind, about, to }) => void said.push(`${kind} ${about} ${to}`),
  });
  const envelope = (to: string, attempt = 0) =>
    ({ id: "m1", reply_to: to, recipient: "desk", attempt }) as Envelope;
  const first = passed.take(envelope("leader"));
  assert.equal(first?.beginCount, undefined);
  assert.deepEqual([...served.keys()], ["m1"]);
  // The next supervisor passes it on while it is worked on: that one hears how it ends.
  assert.equal(passed.take(envelope("next", 1)), undefined);
  first?.done();
  first?.later(0);
  assert.equal(passed.take(envelope("third", 2)), undefined);
  assert.deepEqual(said, ["reply m1 next", "reply m1 third"]);
  assert.equal(passed.duplicateCount, 2);
  assert.equal(served.size, 0);
});

test("what is given back is taken when it comes again, with how often it was begun", () => {
  const said: string[] = [];
  const passed = new PassedMessages({
    served: new Map<string, object>(),
    say: ({ kind, about, to }) => void said.push(`${kind} ${about} ${to}`),
  });
  const envelope = { id: "m1", reply_to: "leader", recipient: "desk", attempt: 0 } as Envelope;
  passed.take(envelope)?.later(0);
  assert.equal(passed.take({ ...envelope, attempt: 3 })?.beginCount, 2);
  assert.deepEqual(said, ["error m1 leader"]);
  assert.equal(passed.duplicateCount, 0);
});
