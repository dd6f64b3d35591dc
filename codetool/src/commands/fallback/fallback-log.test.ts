/** The log of fallbacks: it has a bound, and processes that find it full at the same time lose nothing of it. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { appendFallback, type FallbackRecord, rotate } from "./fallback-log.ts";

const record: FallbackRecord = {
  tsSeconds: 1,
  command: "search",
  args: ["query=x"],
  error: "failed",
  fallbackCommand: "grep x",
  fallbackBytes: 1,
};

test("two processes that find the log full keep what both wrote", () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "errors.jsonl");
  const full = "x".repeat(10_000_001);
  writeFileSync(path, full);
  rotate(path);
  appendFallback(path, record);
  // The second one had looked before the first renamed it.
  rotate(path);
  assert.equal(statSync(`${path}.1`).size, full.length);
  assert.equal(readFileSync(path, "utf8").trimEnd().split("\n").length, 1);
  appendFallback(path, record);
  assert.equal(readFileSync(path, "utf8").trimEnd().split("\n").length, 2);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ["errors.jsonl", "errors.jsonl.1"]);
});

test("a record has a bound, however many and long its arguments are", () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "errors.jsonl");
  appendFallback(path, {
    ...record,
    args: Array.from({ length: 5000 }, () => "\u0000".repeat(5000)),
    error: "e".repeat(100_000),
    fallbackCommand: "c".repeat(100_000),
  });
  assert.ok(statSync(path).size < 64_000, String(statSync(path).size));
  assert.doesNotThrow(() => JSON.parse(readFileSync(path, "utf8")) as unknown);
});
