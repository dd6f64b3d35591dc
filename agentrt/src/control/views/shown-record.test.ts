import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrashRecord } from "../../core/index.ts";
import { shownRecord } from "./shown-record.ts";

test("keys that the control plane redacts are in no part of the record of a crash", () => {
  const data = { card: "4111", list: [{ card: "4111", sum: 1 }] };
  const shown = { card: "***", list: [{ card: "***", sum: 1 }] };
  const error = { name: "Error", code: null, message: "refused" };
  const message = {
    id: "m1",
    type: "pay",
    sender: "",
    priority: 5,
    timestamp: 1,
    trace_id: "0",
    payload: data,
  };
  const recordOf = (part: typeof data): CrashRecord => ({
    id: "a",
    agent: "till",
    timestamp: 1,
    error: { ...error, at: null, causes: [], stack: [] },
    message: { ...message, payload: part },
    messages: [{ ...message, payload: part }],
    answers: [
      { request: part, reply: part },
      { request: null, error: { ...error, details: part } },
    ],
    tools: [{ source: "bank", ...part }],
    spans: [{ name: "pay", attributes: part }],
    checkpoint: { before: { state: part }, after: { state: null } },
    state: part,
  });
  assert.deepEqual(shownRecord(recordOf(data), ["card"]), recordOf(shown));
  assert.deepEqual(shownRecord(recordOf(data)), recordOf(data));
});
