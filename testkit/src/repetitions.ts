import process from "node:process";

/** The long suite repeats so many times as often as `npm test`. */
const longSuiteFactor = 4;

/**
 * How often a test repeats a scene with values taken by chance: property runs, seeds, rounds, damaged bytes. The long
 * suite repeats it as often as the test says; `npm test`, and a test file run by itself, a quarter as often. It is not for
 * tables of cases: those run whole everywhere.
 *
 * A test file that calls this runs in the long suite too: `scripts/test-files.ts` looks for the call.
 *
 * @param count Repetitions in the long suite, a whole number from 1.
 * @returns `count` where `LONG_SUITE=1` is set, as `scripts/run-tests.ts --long` does; else a quarter of it, rounded up.
 */
export function repetitions(count: number): number {
  return process.env["LONG_SUITE"] === "1" ? count : Math.ceil(count / longSuiteFactor);
}
