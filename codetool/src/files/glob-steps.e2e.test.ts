/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

const counter = new StepCounter();
const { compileGlob } = await import("./glob.ts");

test("compileGlob() takes time in proportion, whatever the pattern", async () => {
  const stars = (count: number): string => `${"a*".repeat(count)}b`;
  const deep = (count: number): string => `${"**/a/".repeat(count)}b`;
  const folders = (count: number): string[] => Array.from({ length: count }, () => "a");
  const matches = (pattern: string, path: readonly string[]): void =>
    assert.equal(compileGlob(pattern)?.matchPath(path, 0), false);
  matches(stars(2_000), ["a".repeat(4_000)]);
  matches(deep(400), folders(800));
  // Of the pattern and of the path one grows: each is read against the other.
  const works: readonly (readonly [string, number, (count: number) => void])[] = [
    ["stars", 1_000, (count) => matches(stars(count), ["a".repeat(2_000)])],
    ["a name", 1_000, (count) => matches(stars(500), ["a".repeat(count)])],
    ["folders of a pattern", 100, (count) => matches(deep(count), folders(400))],
    ["folders of a path", 400, (count) => matches(deep(100), folders(count))],
  ];
  for (const [name, count, run] of works) await assertLinear(counter, { name, count, run });
});
