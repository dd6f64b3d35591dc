/** Counted steps: in a separate process, see `StepCounter`. */
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

const counter = new StepCounter();
const { tools } = await import("./tools.ts");

/** What is repeated, and how often it makes a long output. */
const units: readonly (readonly [unit: string, countMax: number, end?: string])[] = [
  ["x", 400_000],
  ["  at f (a.js:1:1)\n", 16_000],
  ["error: \n", 16_000],
  [" ", 80_000, "x\n"],
  ["{\n", 16_000],
  ["a: ", 40_000, "\n"],
  ["[", 80_000, "\n"],
  ["FAIL a\n--- FAIL: a (0.00s)\n", 8_000],
];

// A regular expression is one step, however long it takes: one that goes back and forth meets the end of the test's time.
test(
  "no parser takes long for a long output, of whatever lines",
  { timeout: 120_000 },
  async () => {
    for (const [unit, countMax, end = ""] of units)
      for (const tool of tools) {
        const run = (count: number): void => {
          const combined = unit.repeat(count) + end;
          tool.signature?.test(combined);
          tool.parse({ stdout: combined, stderr: "", combined, exitCode: 1, words: [] });
        };
        run(countMax);
        await assertLinear(counter, {
          name: `${tool.id}: ${JSON.stringify(unit)}`,
          count: 2_000,
          run,
        });
      }
  },
);
