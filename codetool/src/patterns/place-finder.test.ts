import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { PatternCostError } from "./matcher.ts";
import { makePlaceFinder, type PlaceFinder } from "./place-finder.ts";

function compile(pattern: string): PlaceFinder {
  const made = makePlaceFinder(pattern);
  assert.ok("finder" in made, `${pattern}: ${JSON.stringify(made)}`);
  return made.finder;
}

/** Each match with its groups, as `matchAll` gives them. */
function matches(pattern: string, text: string): (string | undefined)[][] {
  const finder = compile(pattern);
  const bytes = Buffer.from(text, "utf8");
  return [...finder.places(bytes, { start: 0, end: bytes.length })].map((place) => {
    const slots = finder.groups(bytes, place);
    const parts: (string | undefined)[] = [];
    for (let slot = 0; slot < slots.length; slot += 2) {
      const [start = -1, end = -1] = slots.slice(slot, slot + 2);
      parts.push(start < 0 || end < 0 ? undefined : bytes.toString("utf8", start, end));
    }
    return parts;
  });
}

const atoms = [
  "a",
  "b",
  "ab",
  ".",
  "[^a]",
  "\\w",
  "\\s",
  "\\n",
  "(a|b)",
  "(a)(b)",
  "(ab|a)",
  "(\\w+) ",
  "ü",
];
const repeats = ["", "", "", "*", "+", "?", "{1,2}", "*?", "+?"];
const anchors = ["", "", "", "^", "$", "\\b"];

test("places and groups are those of the language's own expressions", () => {
  const part = fc
    .tuple(fc.constantFrom(...anchors), fc.constantFrom(...atoms), fc.constantFrom(...repeats))
    .map(([anchor, atom, repeat]) => {
      // What a group took in a repetition before the last one is forgotten there and kept here.
      const isPlain = !atom.includes("(");
      return `${anchor}${repeat !== "" && isPlain ? `(?:${atom})${repeat}` : atom}`;
    });
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
      fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "ü", "c"), maxLength: 20 }),
      (pattern, text) => {
        const expected = [...text.matchAll(new RegExp(pattern, "gmu"))].map((found) => [...found]);
        assert.deepEqual(matches(pattern, text), expected);
      },
    ),
    { numRuns: repetitions(2000) },
  );
});

test("^ and $ hold at lines, \\A and \\z at the text, (?s) lets the dot span lines", () => {
  assert.deepEqual(matches("^b", "a\nb"), [["b"]]);
  assert.deepEqual(matches("\\Ab", "a\nb"), []);
  assert.deepEqual(matches("a$", "a\nb"), [["a"]]);
  assert.deepEqual(matches("a\\z", "a\na"), [["a"]]);
  assert.deepEqual(matches("a.b", "a\nb"), []);
  assert.deepEqual(matches("(?s)a.b", "a\nb"), [["a\nb"]]);
  assert.deepEqual(matches("(?s:a.)b.", "a\nb\n"), []);
  assert.deepEqual(matches("(?<first>a)(?P<second>b)?", "a"), [["a", "a", undefined]]);
  assert.deepEqual(compile("(?<first>a)(b)").groupNames, ["first", undefined]);
});

test("a stretch bounds the places, and what stands around it counts for positions", () => {
  const finder = compile("\\bfoo\\b|^x");
  const bytes = Buffer.from("foo foofoo x\nx");
  const at = (start: number, end: number): number[] =>
    [...finder.places(bytes, { start, end })].map((place) => place.start);
  assert.deepEqual(at(0, bytes.length), [0, 13]);
  assert.deepEqual(at(7, 10), []);
  assert.deepEqual(at(11, 12), []);
  assert.deepEqual(at(1, bytes.length), [13]);
});

test("a pattern that would take forever elsewhere answers or ends with its cost", () => {
  assert.deepEqual(matches("(a*)*b", "a".repeat(100_000)), []);
  const bytes = Buffer.from("a".repeat(20_000));
  const made = makePlaceFinder("(?s)a.*z|a", { stepCountMax: 1_000_000 });
  assert.ok("finder" in made);
  assert.throws(
    () => [...made.finder.places(bytes, { start: 0, end: bytes.length })],
    PatternCostError,
  );
});

test("what is no pattern says where", () => {
  for (const [pattern, column1] of [
    ["a(", 2],
    ["(?<n>a)(?<n>b)", 11],
    ["a(?=b)", 2],
    ["\\1", 1],
  ] as const) {
    const made = makePlaceFinder(pattern);
    assert.ok("fault" in made, pattern);
    assert.equal(made.fault.column1, column1, pattern);
  }
});
