/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

const counter = new StepCounter();
const { compilePattern, openForPatterns } = await import("../index.ts");

/** Matches a pattern against a text, and asks for what it captured. */
function find(pattern: string, text: string): void {
  const compiled = compilePattern(pattern, "javascript");
  const source = openForPatterns(text, "javascript");
  assert.ok(compiled !== null && source !== null);
  compiled.findAll(source)[0]?.captures();
}

const join = (count: number, textOf: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => textOf(index)).join("");
const deep = (count: number): string => "(".repeat(count) + "1" + ")".repeat(count);

/** Texts by their size, and the size that is whole. */
const texts: readonly (readonly [count: number, textOf: (count: number) => string])[] = [
  [15_000, (count) => `x = ${deep(count)} == ${deep(count)};`],
  [50_000, (count) => `f(${"a,".repeat(count)}a);`],
  [20_000, (count) => `x = ${join(count, (index) => `a${index} + `)}a;`],
  [15_000, (count) => `${join(count, (index) => `f${index}(`)}${")".repeat(count)};`],
  [15_000, (count) => "{".repeat(count) + "}".repeat(count)],
];
const patterns = [
  "$A == $A",
  "$A + $A",
  "f($$$, b)",
  "f($$$A, $$$A, $$$B, b)",
  "f($$$, a, $$$, a, $$$, a, $$$, b)",
  "{ $$$ }",
  "f(f(f($A)))",
];

test("structural patterns take bounded time on hostile texts", async () => {
  for (const [count, textOf] of texts)
    for (const pattern of patterns) {
      const name = `${pattern} on ${textOf(2)}`;
      const run = (size: number): void => find(pattern, textOf(size));
      await assertLinear(counter, { name, count: count / 2, run });
    }
});
