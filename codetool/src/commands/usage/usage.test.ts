/** The record of calls: bounded, whole whatever happens to a process, and read past what is damaged. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { foldUsage } from "./fold-usage.ts";
import { readUsage, resetUsage, type UsageRow } from "./index.ts";
import { mergeRows } from "./merge-rows.ts";
import { recordCall } from "./record-call.ts";

const nowSeconds = 1_800_000_000;
const call = { tsSeconds: nowSeconds, command: "search", actualBytes: 100, wallMs: 1 };

async function totals(path: string): Promise<readonly [calls: number, tokensSaved: number]> {
  const rows = await readUsage(path);
  const sum = (of: (row: UsageRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  return [sum(({ calls }) => calls), sum(({ tokensSaved }) => tokensSaved)];
}

test("a call is one line, with what the Unix way would have printed", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "deep/stats.jsonl");
  recordCall(path, { ...call, unixOutput: { way: "cat", sizeBytes: 4000 } });
  recordCall(path, { ...call, command: "exists", tsSeconds: nowSeconds + 1 });
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      {
        ts: nowSeconds,
        command: "search",
        actual_bytes: 100,
        baseline_bytes: 4000,
        baseline_strategy: "cat",
        wall_ms: 1,
        tokens_saved: 975,
      },
      {
        ts: nowSeconds + 1,
        command: "exists",
        actual_bytes: 100,
        baseline_bytes: 100,
        baseline_strategy: "none",
        wall_ms: 1,
        tokens_saved: 0,
      },
    ],
  );
  assert.deepEqual(await totals(path), [2, 975]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder.path, "deep")).mode & 0o777, 0o700);
});

test("a longer name of a command is cut, so that a line is one write", () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "stats.jsonl");
  recordCall(path, { ...call, command: "x".repeat(10_000) });
  assert.ok(statSync(path).size < 4096);
});

test("damaged lines are skipped, and so is one that is not whole yet", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "stats.jsonl");
  recordCall(path, call);
  const damaged = [
    "{",
    "null",
    "[]",
    '{"ts":1}',
    '{"ts":"1","command":"read","actual_bytes":1,"baseline_bytes":1,"tokens_saved":0}',
    '{"ts":1,"command":"read","actual_bytes":1e999,"baseline_bytes":1,"tokens_saved":0}',
    "\0\0\0",
    "",
  ];
  appendFileSync(path, `${damaged.join("\n")}\n`);
  recordCall(path, call);
  appendFileSync(path, '{"ts":1,"command":"read"');
  assert.deepEqual(await totals(path), [2, 0]);
});

test("a log is folded into totals, and what another process still writes to the old one counts", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "stats.jsonl");
  const one = { ...call, unixOutput: { way: "cat" as const, sizeBytes: 140 } };
  for (let round = 1; round <= 5; round += 1) {
    recordCall(path, one);
    recordCall(path, one);
    foldUsage(path, { keptMs: 0 });
    assert.equal(existsSync(path), false);
    assert.deepEqual(await totals(path), [round * 3 - 1, (round * 3 - 1) * 10]);
    // It had opened the log before.
    recordCall(join(folder.path, `stats.jsonl.d/folded-${round}.jsonl`), one);
    assert.deepEqual(await totals(path), [round * 3, round * 30]);
  }
  foldUsage(path, { keptMs: 0 });
  assert.deepEqual(await totals(path), [15, 150]);
});

test("a log that was folded is kept a while: others may have opened it", () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "stats.jsonl");
  recordCall(path, call);
  foldUsage(path);
  recordCall(path, call);
  foldUsage(path);
  assert.equal(existsSync(path), true);
});

test("a process that is ended while it folds loses nothing and counts nothing twice", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "stats.jsonl");
  const totalsFolder = join(folder.path, "stats.jsonl.d");
  recordCall(path, call);
  foldUsage(path, { keptMs: 0 });
  // Ended between the new name and the totals.
  recordCall(path, call);
  renameSync(path, join(totalsFolder, "folded-2.jsonl"));
  recordCall(path, call);
  assert.deepEqual(await totals(path), [3, 0]);
  // Ended while the totals were written, and with the lock of a process that is gone.
  writeFileSync(join(totalsFolder, "totals.json.new"), '{"generation":9');
  writeFileSync(join(totalsFolder, "lock"), "999999999\n");
  assert.deepEqual(await totals(path), [3, 0]);
  foldUsage(path, { keptMs: 0 });
  assert.deepEqual(await totals(path), [3, 0]);
  // Ended before the log before the last was removed.
  foldUsage(path, { keptMs: 0 });
  writeFileSync(
    join(totalsFolder, "folded-2.jsonl"),
    readFileSync(join(totalsFolder, "folded-3.jsonl")),
  );
  assert.deepEqual(await totals(path), [3, 0]);
  recordCall(path, call);
  foldUsage(path, { keptMs: 0 });
  assert.deepEqual(await totals(path), [4, 0]);
  assert.equal(existsSync(join(totalsFolder, "folded-2.jsonl")), false);
});

test("totals have at most 157 rows for a command, and keep the last hour and the last day apart", () => {
  const rows: UsageRow[] = [];
  for (let ageSeconds = -100; ageSeconds < 3 * 86_400; ageSeconds += 7) {
    const tsSeconds = nowSeconds - ageSeconds;
    rows.push({ ...call, tsSeconds, calls: 1, baselineBytes: 100, tokensSaved: 1 });
  }
  const merged = mergeRows(mergeRows(rows, nowSeconds), nowSeconds);
  assert.ok(merged.length <= 157, String(merged.length));
  const sum = (all: readonly UsageRow[], seconds: number): number =>
    all
      .filter(({ tsSeconds }) => nowSeconds - tsSeconds < seconds)
      .reduce((total, { calls }) => total + calls, 0);
  assert.equal(sum(merged, Infinity), rows.length);
  assert.ok(Math.abs(sum(merged, 3600) - sum(rows, 3600)) <= 60 / 7);
  assert.ok(Math.abs(sum(merged, 86_400) - sum(rows, 86_400)) <= 900 / 7 + 1);
});

test("a file that is something else is neither folded nor removed", async () => {
  using folder = createTemporaryFolder({ "notes.txt": "mine\n" });
  const path = join(folder.path, "notes.txt");
  foldUsage(path, { keptMs: 0 });
  assert.equal(await resetUsage(path), false);
  assert.equal(readFileSync(path, "utf8"), "mine\n");
  // What is no file takes what is written, and keeps its mode.
  const before = statSync("/dev/null").mode;
  assert.equal(recordCall("/dev/null", call, 1), false);
  assert.equal(statSync("/dev/null").mode, before);
});

test("resetUsage() forgets all, what was folded too", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "stats.jsonl");
  assert.equal(await resetUsage(path), true);
  recordCall(path, call);
  foldUsage(path, { keptMs: 0 });
  recordCall(path, call);
  assert.equal(await resetUsage(path), true);
  assert.deepEqual(await totals(path), [0, 0]);
  recordCall(path, call);
  assert.deepEqual(await totals(path), [1, 0]);
});

test("where a log cannot be folded it ends at 16 MiB", () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "stats.jsonl");
  writeFileSync(path, Buffer.alloc(16 * 1024 * 1024 + 1, "x"));
  assert.equal(recordCall(path, call), false);
  assert.equal(statSync(path).size, 16 * 1024 * 1024 + 1);
});
