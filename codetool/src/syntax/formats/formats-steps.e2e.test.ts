/** Do the formats' readers take steps in proportion to their text? In a process of its own: see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { StepCounter } from "../test-support/count-steps.ts";

const counter = new StepCounter();
const { extractSymbols, skeletonOf } = await import("../index.ts");
const { formatNames } = await import("./index.ts");

const nested: readonly (readonly [string, string, string])[] = [
  ["json", '{"a":', "}"],
  ["json", "[", "]"],
  ["yaml", "a: [", "]"],
  ["yaml", "- ", ""],
  ["yaml", "&a ", ""],
  ["toml", "a = [", "]"],
  ["toml", "a.", ""],
  ["css", "a {", "}"],
  ["css", "@media x {", "}"],
  ["scss", "#{", "}"],
  ["html", '<div id="a">', "</div>"],
  ["html", "<h1>", "</h1>"],
  ["html", "<p>", "</a>"],
  ["html", "<a b='", ""],
  ["sql", "(", ")"],
  ["sql", "create function a() begin ", "end "],
  ["sql", "create table a (", ")"],
  ["sql", "/*", "*/"],
  ["hcl", 'a "b" {', "}"],
  ["hcl", "a = {", "}"],
  ["hcl", 'a = "${', '}"'],
  ["markdown", "> ", ""],
  ["markdown", "- ", ""],
  ["markdown", "```\n", ""],
  ["markdown", "<!--", ""],
  ["markdown", "#", " "],
  ["makefile", "$(", ")"],
  ["makefile", "a b: c\n\td\n", ""],
  ["dockerfile", "RUN <<A ", "\nA\n"],
  ["dockerfile", "ENV a='", ""],
];

/** Extracts the symbols of a text and makes its skeleton. */
function readWhole(text: string, language: string): void {
  skeletonOf(text, extractSymbols(text, language).symbols, language);
}

/** Counts are off at times, when the engine compiles a function anew: of so many one must be right. */
const attemptCountMax = 5;

/** Twice the text takes at most twice the steps, and a part for what does not grow. */
function checkSteps(language: string, textOf: (count: number) => string): void {
  const count = 1_000;
  readWhole(textOf(1), language);
  const tries: string[] = [];
  for (let attempt = 0; attempt < attemptCountMax; attempt += 1) {
    const once = counter.count(() => readWhole(textOf(count), language));
    const twice = counter.count(() => readWhole(textOf(2 * count), language));
    if (once > 0 && twice <= 2.2 * once + 1_000) return;
    tries.push(`${once} steps, for twice as much ${twice}`);
  }
  assert.fail(`${language} ${JSON.stringify(textOf(1))}: ${tries.join("; ")}`);
}

test("brackets, open or closed, take steps in proportion to their count", () => {
  for (const [language, opening, closing] of nested) {
    checkSteps(language, (count) => opening.repeat(count) + closing.repeat(count));
    checkSteps(language, (count) => opening.repeat(count));
  }
});

test("thirty thousand brackets, open or closed, are read to the end", () => {
  for (const [language, opening, closing] of nested) {
    const count = 30_000;
    readWhole(opening.repeat(count) + closing.repeat(count), language);
    readWhole(opening.repeat(count), language);
  }
});

test("a long line takes steps in proportion to its length, whatever it repeats", () => {
  const units = [
    "a",
    " ",
    "\t",
    "#",
    "'",
    '"',
    "<",
    "=",
    ":",
    "\\",
    "\0",
    "a:",
    "a=",
    "$",
    "--",
    "a b ",
    "{{",
    "\r",
  ];
  for (const language of formatNames())
    for (const unit of units) {
      checkSteps(language, (count) => `${unit.repeat(count)}\n`);
      readWhole(`${unit.repeat(100_000 / unit.length)}\n`, language);
    }
});
