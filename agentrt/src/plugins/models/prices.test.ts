import assert from "node:assert/strict";
import { test } from "node:test";
import { costUsd, listPrices, priceOf } from "./prices.ts";

for (const [model, like] of [
  ["claude-opus-5-5", "claude-opus-5-5"],
  ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
  ["claude-sonnet-4-20250514", "claude-sonnet-4"],
  ["claude-3-5-haiku-latest", "claude-3-5-haiku"],
  ["claude-opus-4-1@20250805", "claude-opus-4-1"],
  ["gpt-4o-mini-2024-07-18", "gpt-4o-mini"],
  ["gpt-5-2025-08-07", "gpt-5"],
] as const) {
  test(`${model} costs what ${like} costs`, () => {
    assert.ok(listPrices[like] !== undefined);
    assert.equal(priceOf(model), listPrices[like]);
  });
}

for (const model of [
  "gpt-5.9",
  "gpt-5-super",
  "claude-opus-4-9",
  "gpt",
  "",
  "llama3",
  "toString",
]) {
  test(`"${model}" has no list price: it may be another model`, () => {
    assert.equal(priceOf(model), undefined);
    assert.equal(priceOf(model, {}), undefined);
  });
}

test("the longest of the user's ids that a model begins with gives its price", () => {
  const own = { llama: { input: 1, output: 1 }, "llama3:8b": { input: 2, output: 2 } };
  assert.equal(priceOf("llama3:70b", own), own.llama);
  assert.equal(priceOf("llama3:8b-q4", own), own["llama3:8b"]);
  assert.equal(priceOf("mistral", own), undefined);
});

test("a price of the user's goes before the list", () => {
  const own = { "gpt-4o": { input: 1, output: 1 } };
  assert.equal(priceOf("gpt-4o-mini", own), own["gpt-4o"]);
});

test("a cost is per million tokens, cached input at its own price where there is one", () => {
  const tokens = { input: 1_000_000, cachedInput: 500_000, output: 100_000 };
  assert.equal(costUsd({ input: 2, output: 10, cachedInput: 1 }, tokens), 3.5);
  assert.equal(costUsd({ input: 2, output: 10 }, tokens), 4);
  assert.equal(costUsd(undefined, tokens), null);
});
