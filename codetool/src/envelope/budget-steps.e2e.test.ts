/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

const counter = new StepCounter();
const { countTokens } = await import("../text/token-counter.ts");
const { fitBudget } = await import("./budget.ts");

/** How many of so many items, each a little too long for what is left, fit a budget. */
function fitCount(count: number): number {
  const items = Array.from({ length: count }, (_, index) => ({
    file: `f${index}`,
    text: "word ".repeat(20),
  }));
  const { kept } = fitBudget({
    items,
    budgetTokens: 3_000,
    countTokens,
    render: (kept, budgetUsed, isTruncated) => ({
      items: kept,
      returned: kept.length,
      budget_used: budgetUsed,
      truncated: isTruncated,
    }),
    whenFull: "skip",
    addedText: (item) => `${JSON.stringify(item)},`,
  });
  return kept.length;
}

test("fitBudget() takes time in proportion when many items fail by a little", async () => {
  assert.ok(fitCount(20_000) > 50);
  await assertLinear(counter, { name: "items", count: 5_000, run: fitCount });
});
