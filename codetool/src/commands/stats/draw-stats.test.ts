import assert from "node:assert/strict";
import { test } from "node:test";
import { drawStats } from "./draw-stats.ts";
import type { StatsReport } from "./payload.ts";

const report: StatsReport = {
  periods: [
    { label: "last_hour", calls: 1, tokens_saved: 0, savings_percent: 0 },
    { label: "last_24h", calls: 1200, tokens_saved: -50, savings_percent: -50 },
    { label: "all_time", calls: 1_234_567, tokens_saved: 1_000_000, savings_percent: 100 },
  ],
  total_calls: 1_234_567,
  total_tokens_saved: 1_000_000,
  by_command: { search: { calls: 3, savings_pct: 12.3 }, find: { calls: 1, savings_pct: -250 } },
};

test("drawStats() draws a bar for each time and command, other signs where more was spent", () => {
  assert.deepEqual(drawStats(report, { isColored: false }).split("\n"), [
    "1,000,000 tokens saved against the Unix way, in 1,234,567 calls",
    "",
    "last hour              1 call           0 tokens  ░░░░░░░░░░░░░░░░░░░░    0.0 %",
    "last 24 hours      1,200 calls        -50 tokens  ▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░  -50.0 %",
    "all time       1,234,567 calls  1,000,000 tokens  ████████████████████  100.0 %",
    "",
    "search  3 calls  ██░░░░░░░░░░░░░░░░░░    12.3 %",
    "find    1 call   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  -250.0 %",
  ]);
});

test("drawStats() has colours where they are wanted, and says when answers are longer than the Unix way's", () => {
  const colored = drawStats(report, { isColored: true });
  assert.match(colored, /\u001B\[32m█{20}\u001B\[2m\u001B\[0m {2}100\.0 %/);
  assert.match(colored, /\u001B\[31m█{10}\u001B\[2m░{10}\u001B\[0m {2}-50\.0 %/);
  const spent = drawStats({ ...report, total_tokens_saved: -50 }, { isColored: false });
  assert.match(
    spent,
    /^The answers have 50 tokens more than the Unix way prints, in 1,234,567 calls\n/,
  );
});
