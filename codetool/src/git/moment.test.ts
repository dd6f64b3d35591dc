import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMoment } from "./moment.ts";

const nowMs = new Date(2026, 2, 31, 12, 0, 0).getTime();
const hourMs = 3_600_000;

test("parseMoment() reads counts of seconds, dates, and how long ago", () => {
  for (const [text, expected] of [
    ["1700000000", 1_700_000_000_000],
    ["@1700000000", 1_700_000_000_000],
    ["1700000000123", 1_700_000_000_123],
    ["2026-03-30", new Date(2026, 2, 30).getTime()],
    ["2026-03-30T10:20", new Date(2026, 2, 30, 10, 20).getTime()],
    ["2026-03-30 10:20:30", new Date(2026, 2, 30, 10, 20, 30).getTime()],
    ["2026-03-30T10:20:30Z", Date.UTC(2026, 2, 30, 10, 20, 30)],
    ["2026-03-30T10:20:30.123+02:00", Date.UTC(2026, 2, 30, 8, 20, 30)],
    ["2026-03-30T10:20:30-0130", Date.UTC(2026, 2, 30, 11, 50, 30)],
    ["2d", nowMs - 48 * hourMs],
    ["2 days ago", nowMs - 48 * hourMs],
    ["2.days.ago", nowMs - 48 * hourMs],
    ["36h", nowMs - 36 * hourMs],
    ["90 min", nowMs - 1.5 * hourMs],
    ["a week ago", nowMs - 168 * hourMs],
    ["1 hour", nowMs - hourMs],
    ["1 year ago", new Date(2025, 2, 31, 12).getTime()],
    ["now", nowMs],
    ["today", new Date(2026, 2, 31).getTime()],
    ["yesterday", new Date(2026, 2, 30).getTime()],
  ] as const)
    assert.equal(parseMoment(text, nowMs), expected, text);
});

test("parseMoment() takes nothing else for a moment", () => {
  for (const text of [
    "main",
    "HEAD~2",
    "v1.2.3",
    "deadbeef",
    "2026-02-30",
    "2026-13-01",
    "2026-3-1",
    "12345678",
    "2 parsecs ago",
    "d2",
    "",
    "constructor",
    "1 constructor",
  ])
    assert.equal(parseMoment(text, nowMs), undefined, text);
});
