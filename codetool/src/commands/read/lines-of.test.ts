/** Lines of any text, with and without their numbers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, constantFrom, nat, property } from "fast-check";
import { linesOf, numberedLines } from "./lines-of.ts";

const text = array(constantFrom("", "", "a", "\t", "1\tb", "é", "c\r", "\r"), {
  minLength: 1,
  maxLength: 8,
})
  .chain((lines) => constantFrom(lines.join("\n"), `${lines.join("\n")}\n`))
  .filter((whole) => whole !== "");

/** Lines as an editor counts them: a line feed at the end of a text begins none. */
function linesIn(whole: string): string[] {
  return (whole.endsWith("\n") ? whole.slice(0, -1) : whole).split("\n");
}

test("each line of a part has its own number, empty lines at its start and its end too", () => {
  assertProperty(
    property(text, nat(), nat(), (whole, one, other) => {
      const lines = linesIn(whole);
      const [first, last] = [one % lines.length, other % lines.length].toSorted((a, b) => a - b);
      const range = { start: Number(first) + 1, end: Number(last) + 1 };
      const shown = numberedLines(linesOf(whole, range), range).split("\n");
      const expected = lines
        .slice(range.start - 1, range.end)
        .map((line, index) => `${range.start + index}\t${line}`);
      // The carriage return before the end that is left out goes with it.
      const isLastOpen = range.end === lines.length && !whole.endsWith("\n");
      if (!isLastOpen) expected[expected.length - 1] = String(expected.at(-1)).replace(/\r$/, "");
      assert.deepEqual(shown, expected);
    }),
  );
});

test("a whole text keeps the end of its last line, which has no number of its own", () => {
  assertProperty(
    property(text, (whole) => {
      const lines = linesIn(whole);
      const numbered = lines.map((line, index) => `${index + 1}\t${line}`).join("\n");
      const shown = numberedLines(whole, { start: 1, end: lines.length });
      assert.equal(shown, whole.endsWith("\n") ? `${numbered}\n` : numbered);
    }),
  );
});
