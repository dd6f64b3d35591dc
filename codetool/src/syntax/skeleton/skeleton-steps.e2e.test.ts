/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

const counter = new StepCounter();
const { extractSymbols, skeletonOf } = await import("../index.ts");

function skeleton(text: string, language: string): string {
  return skeletonOf(text, extractSymbols(text, language).symbols, language);
}

function statementsOf(count: number): string {
  return skeleton("call(1);\n".repeat(count), "javascript");
}

function membersOf(count: number): string {
  const members = Array.from(
    { length: count },
    (_none, index) => `  // does ${index}\n  m${index}(): void { x(); }\n  // plain\n\n`,
  );
  return skeleton(`class A {\n${members.join("")}}\n`, "typescript");
}

function commentOf(count: number): string {
  return skeleton(`/*${"*".repeat(count)} a */\nfunction f() {}\n`, "javascript");
}

test("skeletonOf() of very long files and comments takes time in proportion, and no stack", async () => {
  assert.equal(statementsOf(150_000).split("\n").length, 150_001);
  assert.equal(commentOf(9_000), "function f() {/*...*/}\n");
  assert.equal(membersOf(10_000).split("\n").length, 10_003);
  await assertLinear(counter, { name: "statements", count: 10_000, run: statementsOf });
  await assertLinear(counter, { name: "comments", count: 4_000, run: commentOf });
  await assertLinear(counter, { name: "members", count: 2_000, run: membersOf });
});
