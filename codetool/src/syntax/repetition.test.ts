import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLongRepetition } from "./repetition.ts";

const code = "export function ordinary(a: number) {\n  return a + 1;\n}\n".repeat(20);

function check(unit: string, count: number, expected: boolean): void {
  for (const text of [unit.repeat(count), code + unit.repeat(count) + code])
    assert.equal(hasLongRepetition(text), expected, `${count} of ${JSON.stringify(unit)}`);
}

test("hasLongRepetition() finds runs that no program has", () => {
  for (const unit of [
    "->",
    "<!--",
    "%w(",
    "a=>",
    "a => ",
    "a:",
    "@a ",
    "a,b ",
    "..?",
    "\\",
    "\\\n",
    "f(a",
  ]) {
    check(unit, 1200, true);
    check(unit, 900, false);
  }
  check("(", 30_000, true);
});

test("hasLongRepetition() lets through what programs have", () => {
  const rows = [
    "0, ",
    "0x00,",
    '"", ',
    "NULL, ",
    "{0, 0},\n",
    "\\x00",
    "\\0",
    "\\u0000",
    "\t",
    " \n",
    "A",
    "word ",
    "注",
    "-",
    "=",
    "* ",
    "//",
  ];
  for (const unit of rows) check(unit, 5000, false);
  check("(", 20_000, false);
  check("call(1);\n", 5000, false);
  check("<td></td>\n", 5000, false);
});
