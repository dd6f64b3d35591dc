/** Do the formats' readers take steps in proportion to their text? In a process of its own: see `StepCounter`. */
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

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

async function checkSteps(language: string, textOf: (count: number) => string): Promise<void> {
  await assertLinear(counter, {
    name: `${language} ${JSON.stringify(textOf(1))}`,
    count: 1_000,
    run: (count) => readWhole(textOf(count), language),
  });
}

test("brackets, open or closed, take steps in proportion to their count", async () => {
  for (const [language, opening, closing] of nested) {
    await checkSteps(language, (count) => opening.repeat(count) + closing.repeat(count));
    await checkSteps(language, (count) => opening.repeat(count));
  }
});

test("thirty thousand brackets, open or closed, are read to the end", () => {
  for (const [language, opening, closing] of nested) {
    const count = 30_000;
    readWhole(opening.repeat(count) + closing.repeat(count), language);
    readWhole(opening.repeat(count), language);
  }
});

test("a long line takes steps in proportion to its length, whatever it repeats", async () => {
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
      await checkSteps(language, (count) => `${unit.repeat(count)}\n`);
      readWhole(`${unit.repeat(100_000 / unit.length)}\n`, language);
    }
});
