/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

const counter = new StepCounter();
const { countTokens } = await import("./token-counter.ts");

test("countTokens() takes linear time on one endless word", async () => {
  for (const character of ["a", " "]) {
    const run = (count: number): number => countTokens(character.repeat(count));
    await assertLinear(counter, { name: JSON.stringify(character), count: 20_000, run });
  }
  assert.equal(countTokens("a".repeat(200_000)), 25_000);
  assert.equal(countTokens(" ".repeat(200_000)), 1_563);
});
