/** The rows of `ps` and `top`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { atHandText, readOverview } from "./overview.ts";

test("AT HAND says what is handled, how long, how many more, and whether it waits for the state store, a model or a tool", () => {
  const row = (more: object): string => {
    const agent = { name: "desk", kind: "agent", class: "Desk", uptime_seconds: 5, ...more };
    const [first] = readOverview({ timestamp: 100, agents: [agent] });
    return first === undefined ? "none" : atHandText(first);
  };
  const atHand = { at_hand: { type: "message", since: 88 }, at_hand_count: 10 };
  assert.equal(row({}), "");
  assert.equal(row(atHand), "message 12 s +9");
  assert.equal(row({ ...atHand, waits_for_state: true }), "message 12 s +9, waits for state");
  // It starts, and its state is not there yet; one that is at rest holds up nobody.
  assert.equal(row({ status: "INITIALIZING", waits_for_state: true }), "waits for state");
  assert.equal(row({ status: "RUNNING", waits_for_state: true }), "");
  const awaited = (kind: string, name: string, since = 90) => ({
    waits_for: { kind, name, since },
  });
  assert.equal(
    row({ ...atHand, ...awaited("model", "main") }),
    "message 12 s +9, waits for the model main",
  );
  assert.equal(
    row({ ...atHand, ...awaited("tool", "mcp://files/read\u001B[2J") }),
    "message 12 s +9, waits for the tool mcp://files/read\\u001b[2J",
  );
  assert.equal(row({ ...atHand, ...awaited("model", "main", 99.5) }), "message 12 s +9");
  // A store that answers is not worth a word.
  const brief = { at_hand: { type: "message", since: 99.9 }, at_hand_count: 1 };
  assert.equal(row({ ...brief, waits_for_state: true }), "message 0.1 s");
});

test("AT HAND of one that is suspended says who did that, or what it waits for, and why", () => {
  const row = (more: object): string => {
    const suspended = { name: "desk", kind: "agent", status: "SUSPENDED", suspended_since: 90 };
    const [first] = readOverview({ timestamp: 100, agents: [{ ...suspended, ...more }] });
    return first === undefined ? "none" : atHandText(first);
  };
  const byAda = { suspend_category: "other", suspended_by: "ada" };
  assert.equal(
    row({ ...byAda, suspend_reason: "wrong refunds" }),
    "suspended by ada: wrong refunds",
  );
  assert.equal(row({ ...byAda, suspend_reason: "x".repeat(99) }).length, 79);
  assert.equal(
    row({ suspend_category: "hitl_approval", suspended_by: null, suspend_reason: "a refund" }),
    "waits for approval: a refund",
  );
  assert.equal(
    row({ suspend_category: "hitl_approval", suspend_reason: "approval: refund" }),
    "waits for approval: refund",
  );
  // Of a version that does not say it.
  assert.equal(row({ suspend_category: "other" }), "suspended");
});
