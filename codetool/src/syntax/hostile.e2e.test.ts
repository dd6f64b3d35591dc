/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { StepCounter } from "testkit";
import type { CodeSymbol } from "./index.ts";

const counter = new StepCounter();
const { extractSymbols, releaseTrees, skeletonOf } = await import("./index.ts");
const { symbolDepthMax } = await import("./walk.ts");

const nestingCount = 20_000;
/** Work that grows with the square of these texts takes more than a thousand steps a character; C takes 245 for macros. */
const stepsPerCharacterMax = 300;
const stepsThatStay = 100_000;

function depthOf(symbols: readonly CodeSymbol[]): number {
  return symbols.reduce((depth, symbol) => Math.max(depth, 1 + depthOf(symbol.children)), 0);
}

/** Extracts and shortens in steps that grow with the text, and gives the symbols; the test's time ends what hangs. */
function survive(text: string, language: string): readonly CodeSymbol[] {
  let symbols: readonly CodeSymbol[] = [];
  const steps = counter.count(() => {
    ({ symbols } = extractSymbols(text, language));
    skeletonOf(text, symbols, language);
  });
  assert.ok(
    steps <= stepsPerCharacterMax * text.length + stepsThatStay,
    `${language} took ${steps} steps for ${text.length} characters`,
  );
  return symbols;
}

const nested: readonly (readonly [string, string, string])[] = [
  ["typescript", "function f() {", "}"],
  ["javascript", "class A { m() { return ", "}}"],
  ["tsx", "<a>", "</a>"],
  ["python", "x = [", "]"],
  ["python", "(lambda: ", ")"],
  ["rust", "mod a {", "}"],
  ["go", "func() {", "}"],
  ["java", "class A {", "}"],
  ["c", "struct a {", "} b;"],
  ["cpp", "namespace a {", "}"],
  ["cpp", "A<", ">"],
  ["java", "A<", ">"],
  ["typescript", "case 1:", ""],
  ["csharp", "namespace a {", "}"],
  ["csharp", "A<", ">"],
  ["csharp", "class A { void F() { ", "}}"],
  ["ruby", "module A\n", "end\n"],
  ["ruby", "def f; [", "] end;"],
  ["php", "<?php function f() {", "}"],
  ["php", "<?php [", "]"],
  ["kotlin", "class A {", "}"],
  ["kotlin", "fun f() {", "}"],
  ["kotlin", "A<", ">"],
  ["swift", "class A {", "}"],
  ["swift", "{ [", "] }"],
  ["scala", "object A {", "}"],
  ["scala", "def f = (", ")"],
  ["bash", "f() { ", "}\n"],
  ["bash", "$(", ")"],
  ["bash", "if true; then\n", "fi\n"],
  ["lua", "function f() ", "end "],
  ["lua", "x = {", "}"],
  ["elixir", "defmodule A do\n", "end\n"],
  ["elixir", "f(", ")"],
  ["haskell", "f = (", ")"],
  ["haskell", "f = let g x = ", " in 1"],
  ["lua", "[[", "]]"],
  ["bash", "$(", ")"],
  ["zig", "const A = ", ";"],
  ["haskell", "f = do {", "}"],
  ["haskell", "{-", "-}"],
  ["zig", "const a = struct {", "};"],
  ["zig", "fn f() void {", "}"],
  ["zig", "(", ")"],
];

for (const [language, open, close] of nested) {
  test(`${language}: ${nestingCount} of "${open}" neither crash nor hang, closed or not`, () => {
    const closed = open.repeat(nestingCount) + close.repeat(nestingCount);
    assert.ok(depthOf(survive(closed, language)) <= symbolDepthMax);
    assert.ok(depthOf(survive(open.repeat(nestingCount), language)) <= symbolDepthMax);
  });
}

/** Each takes the parser of some language minutes or more. */
const repeated = [
  "->",
  "<!--",
  "%w(",
  "a=>",
  "a => ",
  "a=",
  "a:",
  "a ::= ",
  "@a ",
  "a,b ",
  "...",
  "1.",
  "\\",
  "\\\n",
  "_",
];

for (const language of "typescript python rust go java c cpp csharp ruby php kotlin swift scala bash lua elixir haskell zig".split(
  " ",
)) {
  test(`${language}: huge and senseless texts are read in time`, async () => {
    const texts = [
      `x = "${"a".repeat(200_000)}"`,
      "a ".repeat(10_000),
      "A_MACRO ".repeat(2_000),
      "A_MACRO(\n".repeat(2_000),
      "A<".repeat(10_000),
      "#if X\n{\n#else\n".repeat(1_000),
      "\n".repeat(40_000),
      "prose is no program, however long.\n".repeat(2_000),
      ...repeated.map((unit) => unit.repeat(10_000)),
    ];
    for (const text of texts) {
      survive(text, language);
      await releaseTrees();
    }
  });
}

test("memory stays flat over many files when trees are released", async () => {
  const text = "export function f(a: number): number {\n  return a + 1;\n}\n".repeat(1_000);
  const parse = async (fileCount: number): Promise<number> => {
    for (let index = 0; index < fileCount; index++) {
      assert.equal(extractSymbols(text, "typescript").symbols.length, 1_000);
      await releaseTrees();
    }
    return process.memoryUsage().rss / 1024 ** 2;
  };
  const warmMib = await parse(30);
  const laterMib = await parse(100);
  // 100 more files are 6 MB of source: about 230 MiB of trees if none were freed.
  assert.ok(laterMib - warmMib < 80, `grew from ${warmMib} to ${laterMib} MiB`);
});
