import assert from "node:assert/strict";
import { test } from "node:test";
import { makeProgressLine } from "./progress-line.ts";

test("progress is shown after a second, ten times a second at most, and taken away at the end", () => {
  let nowMs = 5000;
  const written: string[] = [];
  const show = makeProgressLine({
    title: "index",
    write: (text) => written.push(text),
    nowMs: () => nowMs,
  });
  show({ done: 1, total: 40 });
  assert.deepEqual(written, []);
  nowMs += 1000;
  show({ done: 10, total: 40 });
  nowMs += 99;
  show({ done: 11, total: 40 });
  nowMs += 1;
  show({ done: 12, total: 40 });
  show({ done: 40, total: 40 });
  assert.deepEqual(written, [
    "\r\u001b[Kindex: 10 of 40 files (25 %)",
    "\r\u001b[Kindex: 12 of 40 files (30 %)",
    "\r\u001b[K",
  ]);
});

test("work that ends within a second shows nothing", () => {
  const written: string[] = [];
  const show = makeProgressLine({
    title: "index",
    write: (text) => written.push(text),
    nowMs: () => 0,
  });
  show({ done: 1, total: 2 });
  show({ done: 2, total: 2 });
  assert.deepEqual(written, []);
});
