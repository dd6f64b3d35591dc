import assert from "node:assert/strict";
import { test } from "node:test";
import { renderResults } from "./render.ts";
import type { SideResult, TaskResult } from "./run-task.ts";
import { summarize } from "./summarize.ts";

const side = (tokens: number, missing: readonly string[] = []): SideResult => ({
  commands: ["a | b"],
  tokens,
  firstTokens: tokens,
  durationMs: tokens,
  missing,
});

function task(codetool: SideResult, unix: SideResult): TaskResult {
  return {
    repository: "r",
    kind: "a question in words, 1",
    question: "q",
    codetool,
    plain: codetool,
    unix,
  };
}

const roundedOf = (values: object): object =>
  Object.fromEntries(
    Object.entries(values as { [name: string]: number }).map(([name, value]) => [
      name,
      Math.round(value * 1000) / 1000,
    ]),
  );

test("summarize() takes ratios of answered tasks alone and counts the others as failed", () => {
  const summary = summarize(
    [
      task(side(10), side(100)),
      task(side(50), side(100)),
      task(side(300), side(100)),
      task(side(1, ["x"]), side(100)),
      task(side(1), side(100, ["x"])),
    ],
    "codetool",
  );
  assert.deepEqual(roundedOf(summary.ratio), {
    minimum: 0.1,
    lowerQuartile: 0.3,
    median: 0.5,
    upperQuartile: 1.75,
    maximum: 3,
  });
  assert.equal(summary.answeredCount, 3);
  assert.equal(summary.failedCount, 1);
  assert.equal(summary.largerCount, 1);
  assert.equal(summary.totalTokens, 360);
  assert.equal(summary.unixTotalTokens, 300);
});

test("summarize() puts an answer that costs the Unix tools nothing at the end of the ratios", () => {
  const { ratio, largerCount } = summarize(
    [task(side(10), side(10)), task(side(40), side(0)), task(side(20), side(10))],
    "codetool",
  );
  assert.equal(ratio.median, 2);
  assert.equal(ratio.maximum, Number.POSITIVE_INFINITY);
  assert.equal(largerCount, 2);
});

test("renderResults() shows failures in place and keeps command lines inside their cells", () => {
  const page = renderResults({
    date: "2026-01-01",
    versions: ["codetool 1"],
    repositories: [{ name: "r", repository: "o/r", commit: "c" }],
    tasks: [task(side(10), side(40)), task(side(7, ["needle"]), side(40))],
  });
  assert.match(
    page,
    /\| JSON \| 2 \| 1 \| \*\*0\.25\*\* \| .* \| 10 : 40, 0\.25 \| \*\*0\*\* \| 1 \|/,
  );
  assert.match(page, /\| 7, \*\*failed\*\*: lacks `needle` \| .* \| 40 \| – \| `a \\\| b` \|/);
});
