import assert from "node:assert/strict";
import { test } from "node:test";
import { suspendedText } from "./suspension-text.ts";

test("what became of a suspension is said: done, since when, by whom, or which message is finished first", () => {
  const suspension = { since: 98, reason: "wrong refunds", initiated_by: "ada" };
  assert.equal(
    suspendedText("desk", { status: "SUSPENDED", suspension }, 100),
    '"desk" is suspended, 2.0 s ago by ada: wrong refunds',
  );
  const atHand = [
    { type: "mail", since: 99 },
    { type: "http.request", since: 88 },
  ];
  assert.equal(
    suspendedText("desk", { status: "RUNNING", at_hand: atHand.slice(1) }, 100),
    '"desk" will be suspended after the message at hand (http.request, for 12 s): agentrt describe desk says what that waits for',
  );
  assert.match(
    suspendedText("desk", { status: "RUNNING", at_hand: atHand }, 100) ?? "",
    /after the message at hand \(http\.request, for 12 s\) and 1 more:/,
  );
  const draining = { since: 99, reason: "new prices", initiated_by: "ada" };
  assert.equal(
    suspendedText("desk", { draining, at_hand: atHand.slice(1), mailbox: { depth: 3 } }, 100),
    '"desk" takes nothing new; it is suspended when it has finished what is at hand (http.request, for 12 s) and the 3 that wait',
  );
  assert.equal(suspendedText("desk", { status: "RUNNING", at_hand: [] }, 100), undefined);
});
