/** Good histories of counters are found good, and each kind of bad one is found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkHistory, historyText, type Operation } from "./history.ts";

/** An operation with an answer. */
function did(id: string, times: readonly [number, number], value: number): Operation {
  return { id, key: "k", beganMs: times[0], endedMs: times[1], value };
}

/** An operation that nobody knows the end of. */
function lost(id: string, beganMs: number): Operation {
  return { id, key: "k", beganMs, endedMs: beganMs + 10, fault: "AGENTRT_LINK_LOST" };
}

function reasons(operations: readonly Operation[], final: readonly string[]): string[] {
  return checkHistory(operations, new Map([["k", final]])).violations.map(({ reason }) => reason);
}

test("a history is linear whose operations overlap, and whose unanswered ones were done or not", () => {
  const operations = [did("a", [0, 5], 1), did("b", [1, 9], 3), lost("c", 2), did("d", [3, 8], 2)];
  assert.deepEqual(checkHistory(operations, new Map([["k", ["a", "d", "b"]]])), {
    violations: [],
    acknowledgedCount: 3,
    doneUnansweredCount: 0,
  });
  const done = checkHistory(operations, new Map([["k", ["a", "d", "b", "c"]]]));
  assert.deepEqual([done.violations, done.doneUnansweredCount], [[], 1]);
});

test("an answer without its id in the end is lost, also where the key is gone", () => {
  assert.deepEqual(reasons([did("a", [0, 1], 1)], []), [
    "a was acknowledged as number 1, and is lost",
  ]);
  const { violations } = checkHistory([did("a", [0, 1], 1)], new Map());
  assert.deepEqual(violations, [
    { key: "k", reason: "a was acknowledged as number 1, and is lost" },
  ]);
});

test("two owners that answer the same number are found, whichever of them wrote last", () => {
  assert.deepEqual(reasons([did("a", [0, 5], 1), did("b", [1, 6], 1)], ["b"]), [
    "a was acknowledged as number 1, and is lost",
    "a and b were both answered 1",
  ]);
});

test("an id at another place than its answer says, one that came twice, and one that nobody sent are found", () => {
  assert.deepEqual(reasons([did("a", [0, 5], 2), lost("b", 1)], ["a", "b"]), [
    "a was acknowledged as number 2, where b is",
  ]);
  assert.deepEqual(reasons([did("a", [0, 5], 1)], ["a", "a"]), ["a was done twice"]);
  assert.deepEqual(reasons([did("a", [0, 5], 1)], ["a", "x"]), ["x was never sent"]);
});

test("an operation that takes a place before one that was answered before it began is found, answered or not", () => {
  assert.deepEqual(reasons([did("a", [0, 5], 2), did("b", [6, 9], 1)], ["b", "a"]), [
    "b is number 1, and began after a was number 2",
  ]);
  assert.deepEqual(reasons([did("a", [0, 5], 2), lost("b", 6)], ["b", "a"]), [
    "b is number 1, and began after a was number 2",
  ]);
  assert.deepEqual(reasons([did("a", [0, 5], 2), did("b", [5, 9], 1)], ["b", "a"]), []);
});

test("keys do not touch each other, and the history of one is written in its order", () => {
  const other: Operation = { id: "z", key: "other", beganMs: 0, endedMs: 1, value: 1 };
  const operations = [lost("b", 3), did("a", [0, 1], 1), other];
  const finals = new Map([
    ["k", ["a"]],
    ["other", ["z"]],
  ]);
  assert.deepEqual(checkHistory(operations, finals).violations, []);
  assert.equal(
    historyText("k", operations, finals),
    "k:\n  0..1 a -> 1\n  3..13 b -> AGENTRT_LINK_LOST\n  holds a",
  );
});
