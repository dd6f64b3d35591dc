import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { formatNames } from "./formats/index.ts";
import { languageNames } from "./languages/index.ts";

const writtenNames: ReadonlyMap<string, string> = new Map([
  ["C++", "cpp"],
  ["C#", "csharp"],
]);

/** `"A, B and C"` as the names that file detection gives. */
function namesIn(list: string): string[] {
  return list
    .split(/,\s+|\s+and\s+/)
    .map((name) => writtenNames.get(name) ?? name.toLowerCase())
    .sort();
}

test("the README names the languages and formats that have symbols, and no others", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const languages = /Symbols come from real parsers, for ([^.]+)\./.exec(readme)?.[1] ?? "";
  assert.deepEqual(namesIn(languages), [...languageNames()].sort());
  const formats = /\. Of ([^.]+?)\s+the\s+headings/.exec(readme)?.[1] ?? "";
  assert.deepEqual(namesIn(formats), [...formatNames()].sort());
});
