/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

const counter = new StepCounter();
const { makePatternMatcher } = await import("./matcher.ts");

test("patterns that make backtracking explode take linear time", async () => {
  for (const pattern of ["(a*)*b", "(a|aa)+$", "(.*)(.*)(.*)(.*)x", "(a?){50}a{50}"]) {
    const made = makePatternMatcher(pattern);
    assert.ok("matcher" in made, pattern);
    const run = (count: number): void => {
      const line = Buffer.from(`${"a".repeat(count)}c`);
      made.matcher.isMatch(line, 0, line.length);
    };
    await assertLinear(counter, { name: pattern, count: 10_000, run });
  }
});
