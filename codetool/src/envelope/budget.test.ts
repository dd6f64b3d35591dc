import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { countTokens } from "../text/token-counter.ts";
import { fitBudget, type BudgetFit } from "./budget.ts";

interface Item {
  readonly file: string;
  readonly text: string;
}

function render(kept: readonly Item[], budgetUsed: number, isTruncated: boolean): object {
  return { items: kept, returned: kept.length, budget_used: budgetUsed, truncated: isTruncated };
}

function fit(
  items: readonly Item[],
  budgetTokens: number,
  whenFull: "skip" | "stop" = "skip",
): BudgetFit<Item> {
  return fitBudget({
    items,
    budgetTokens,
    countTokens,
    render,
    whenFull,
    addedText: (item) => `${JSON.stringify(item)},`,
  });
}

const item = fc.record({
  file: fc.string({ unit: fc.constantFrom("a", "B", "/", "_", "9", "é", "😀"), maxLength: 20 }),
  text: fc.oneof(fc.string({ maxLength: 60 }), fc.lorem({ maxCount: 30 })),
});

/** What the law says, counted anew for every item. */
function fitSlowly(items: readonly Item[], budgetTokens: number): Item[] {
  const kept: Item[] = [];
  for (const [index, candidate] of items.entries()) {
    const isComplete = kept.length === index && index === items.length - 1;
    const data = render([...kept, candidate], budgetTokens, !isComplete);
    if (countTokens(JSON.stringify(data)) <= budgetTokens) kept.push(candidate);
  }
  return kept;
}

test("fitBudget() keeps exactly the items that fit, in order, and stays within the budget", () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 25 }),
      fc.integer({ min: 30, max: 900 }),
      (items, budget) => {
        const { kept, data, budgetUsed, isTruncated } = fit(items, budget);
        assert.deepEqual(kept, fitSlowly(items, budget));
        assert.equal(isTruncated, kept.length < items.length);
        assert.equal(countTokens(JSON.stringify(data)), budgetUsed);
        assert.ok(budgetUsed <= budget);
      },
    ),
    { seed: 4, numRuns: repetitions(400) },
  );
});

test("fitBudget() never keeps less with a larger budget when it stops at the first that is too large", () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 20 }),
      fc.integer({ min: 30, max: 400 }),
      (items, budget) => {
        const small = fit(items, budget, "stop").kept;
        const large = fit(items, budget + 50, "stop").kept;
        assert.deepEqual(large.slice(0, small.length), small);
        assert.deepEqual(small, items.slice(0, small.length));
      },
    ),
    { seed: 5 },
  );
});

test("fitBudget() with nothing that fits returns the empty payload", () => {
  const { kept, data, isTruncated } = fit([{ file: "a", text: "b" }], 1);
  assert.deepEqual(kept, []);
  assert.equal(isTruncated, true);
  assert.equal((data as { returned: number }).returned, 0);
});

test("fitBudget() of no items is complete", () => {
  assert.equal(fit([], 100).isTruncated, false);
});

test("fitBudget() keeps the budget where the parts say less than they cost", () => {
  const items = Array.from({ length: 30 }, (_, index) => ({ file: `f${index}`, text: "word" }));
  const mark = (kept: readonly Item[], _used: number, isTruncated: boolean): object =>
    render(kept, kept.length === 0 ? 0 : 123_456_789_123_456, isTruncated);
  for (let budgetTokens = 40; budgetTokens < 400; budgetTokens += 13) {
    const { kept, data } = fitBudget({
      items,
      budgetTokens,
      countTokens,
      render: (...parts) => ({
        ...mark(...parts),
        token: parts[0].length > 0 ? "aGVsbG8gd29ybGQ" : null,
      }),
      addedText: () => "{}",
    });
    assert.ok(kept.length === 0 || countTokens(JSON.stringify(data)) <= budgetTokens);
    assert.ok(budgetTokens < 100 || kept.length > 0);
  }
});

test("fitBudget() asks for no more than keptCountMax, and what follows does not count as left out", () => {
  const items = ["a", "b", "c", "d"].map((file) => ({ file, text: "x" }));
  const options = {
    items,
    budgetTokens: 1000,
    countTokens,
    render,
    addedText: (candidate: Item) => JSON.stringify(candidate),
    keptCountMax: 2,
  };
  const { kept, isTruncated } = fitBudget(options);
  assert.deepEqual([kept.length, isTruncated], [2, false]);
  const large = { file: "large", text: "word ".repeat(2000) };
  const skipping = fitBudget({ ...options, items: [large, ...items] });
  assert.deepEqual(
    [skipping.kept.map(({ file }) => file), skipping.isTruncated],
    [["a", "b"], true],
  );
});
