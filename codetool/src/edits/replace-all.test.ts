import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { lineHunksOf } from "./line-changes.ts";
import type { TextHunk } from "./piece-list.ts";
import {
  checkReplacements,
  type EditedText,
  type Replacement,
  replaceInText,
} from "./replace-all.ts";

interface Options {
  readonly isAll?: boolean;
  readonly isPattern?: boolean;
  readonly within?: readonly { readonly start: number; readonly end: number }[];
}

function edit(text: string, pairs: readonly Replacement[], options: Options = {}): EditedText {
  const checked = checkReplacements(pairs, { isPattern: options.isPattern === true });
  assert.ok(!("fault" in checked), JSON.stringify(checked));
  const { within } = options;
  return replaceInText(text, checked, {
    isAll: options.isAll === true,
    ...(within === undefined ? {} : { within }),
  });
}

/** What the hunks say, carried out on the first text by hand. */
function carriedOut(before: string, after: string, hunks: readonly TextHunk[]): string {
  let result = "";
  let position = 0;
  for (const hunk of hunks) {
    result +=
      before.slice(position, hunk.before.start) + after.slice(hunk.after.start, hunk.after.end);
    position = hunk.before.end;
  }
  return result + before.slice(position);
}

const word = fc.string({
  unit: fc.constantFrom("a", "b", "\n", " ", "é", "😀", "$"),
  minLength: 1,
  maxLength: 4,
});
const document = fc.string({
  unit: fc.constantFrom("a", "b", "\n", " ", "é", "😀", "$"),
  maxLength: 60,
});
const pairs = fc.array(fc.record({ find: word, replace: fc.oneof(word, fc.constant("")) }), {
  minLength: 1,
  maxLength: 5,
});

test("a sequence of literal edits equals the language's own replace, all or the first", () => {
  fc.assert(
    fc.property(document, pairs, fc.boolean(), (text, given, isAll) => {
      const expected = given.reduce(
        (current, { find, replace }) =>
          isAll ? current.replaceAll(find, () => replace) : current.replace(find, () => replace),
        text,
      );
      const edited = edit(text, given, { isAll });
      assert.equal(edited.text, expected);
      assert.equal(carriedOut(text, edited.text, edited.hunks), expected);
      const lines = lineHunksOf({ before: text, after: expected }, edited.hunks);
      assert.equal(carriedOut(text, expected, lines), expected);
    }),
    { numRuns: repetitions(2000) },
  );
});

test("a sequence of pattern edits equals the language's own replace, groups and all", () => {
  const pattern = fc.constantFrom(
    "(a+)(b)?",
    "^(\\w)",
    "(\\s+)$",
    "(\\n)(?:a|b)",
    "(b*)",
    "([^a\\n]+)",
    "(é|😀)",
  );
  const template = fc.constantFrom("<$1>", "$$", "x", "", "${1}y", "$1\n");
  const patterns = fc.array(fc.record({ find: pattern, replace: template }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(document, patterns, fc.boolean(), (text, given, isAll) => {
      const expected = given.reduce(
        (current, { find, replace }) =>
          current.replace(new RegExp(find, isAll ? "gmu" : "mu"), replace.replace("${1}", "$1")),
        text,
      );
      assert.equal(edit(text, given, { isAll, isPattern: true }).text, expected);
    }),
    { numRuns: repetitions(2000) },
  );
});

test("a text with CRLF is edited as the same text with LF, and keeps its line ends", () => {
  fc.assert(
    // oxlint-disable-next-line max-params -- a property takes each of its values as a parameter
    fc.property(document, pairs, fc.boolean(), fc.boolean(), (text, given, isAll, isPattern) => {
      const quoted = given.map(({ find, replace }) =>
        isPattern
          ? { find: find.replaceAll("$", "\\$"), replace: replace.replaceAll("$", "$$$$") }
          : { find, replace },
      );
      const crlf = text.replaceAll("\n", "\r\n");
      // A text with a single line has no line ends to keep.
      fc.pre(text.includes("\n") || !given.some(({ replace }) => replace.includes("\n")));
      const expected = edit(text, quoted, { isAll, isPattern }).text.replaceAll("\n", "\r\n");
      const found = edit(crlf, quoted, { isAll, isPattern });
      // Where the first line ends go away, there are none to go by either.
      const normal = found.text.replaceAll("\r\n", "\n");
      assert.equal(normal, expected.replaceAll("\r\n", "\n"));
      if (given.length === 1) assert.equal(found.text, expected);
      assert.equal(carriedOut(crlf, found.text, found.hunks), found.text);
    }),
    { numRuns: repetitions(2000) },
  );
});

test("of mixed line ends each place keeps its own, and a carriage return asked for is one", () => {
  const mixed = "a\r\nb\nc\r\nd\n";
  assert.equal(edit(mixed, [{ find: "a\nb", replace: "x\ny\nz" }]).text, "x\r\ny\r\nz\nc\r\nd\n");
  assert.equal(edit(mixed, [{ find: "b", replace: "1\n2" }]).text, "a\r\n1\n2\nc\r\nd\n");
  assert.equal(
    edit(mixed, [{ find: "\r\n", replace: "\n" }], { isAll: true }).text,
    "a\nb\nc\nd\n",
  );
  assert.equal(
    edit(mixed, [{ find: "\\r?\\n", replace: "\r\n" }], { isAll: true, isPattern: true }).text,
    "a\r\nb\r\nc\r\nd\r\n",
  );
  assert.equal(
    edit(mixed, [{ find: "(\\w)$", replace: "<$1>" }], { isAll: true, isPattern: true }).text,
    "<a>\r\n<b>\n<c>\r\n<d>\n",
  );
  assert.equal(
    edit('"\\r"\r\nb', [{ find: '"\\r"\nb', replace: "c\nd" }]).text,
    "c\r\nd",
    "a carriage return that is written out is none",
  );
  assert.equal(edit("a\r\nb", [{ find: "b", replace: "c\nd" }]).text, "a\r\nc\r\nd");
});

test("edits within stretches leave the rest, from pair to pair", () => {
  const text = "aa|aa|aa";
  const within = [{ start: 3, end: 5 }];
  const found = edit(
    text,
    [
      { find: "a", replace: "bcd" },
      { find: "d", replace: "" },
      { find: "a", replace: "e" },
    ],
    { isAll: true, within },
  );
  assert.equal(found.text, "aa|bcbc|aa");
  assert.equal(found.replacementCount, 4);
  const two = [
    { start: 0, end: 2 },
    { start: 6, end: 8 },
  ];
  const both = edit(
    text,
    [
      { find: "aa", replace: "aaa" },
      { find: "a", replace: "-" },
    ],
    { isAll: true, within: two },
  );
  assert.equal(both.text, "---|aa|---");
});

test("what cannot be looked for says why", () => {
  const fault = (find: string, replace: string, isPattern: boolean): string => {
    const checked = checkReplacements([{ find, replace }], { isPattern });
    return "fault" in checked ? checked.fault : "none";
  };
  assert.equal(fault("", "x", false), "it is empty");
  assert.match(fault("a\ud800", "x", false), /half of a surrogate pair/);
  assert.match(fault("a(", "x", true), /not a pattern: at column 2, this "\(" is not closed/);
  assert.match(fault("(?<n>a)", "$2", true), /no group "2", it has n; write \$\$ for a dollar/);
  assert.match(fault("a", "${x}", true), /no group "x", it has none/);
  assert.equal(fault("a", "$HOME costs $$5", true), "none");
});

test("a hunk names as few lines as it changes", () => {
  const text = "one\ntwo\nthree\n";
  const [hunk] = edit(text, [{ find: "one\ntwo\nthree", replace: "one\n2\nthree" }]).hunks;
  assert.deepEqual(hunk?.before, { start: 4, end: 8 });
  const added = edit(text, [{ find: "two\n", replace: "two\nnew\n" }]).hunks;
  assert.deepEqual(
    added.map(({ before }) => before),
    [{ start: 8, end: 8 }],
  );
  assert.deepEqual(edit(text, [{ find: "two", replace: "two" }]).hunks, []);
});

test("replaceInText() says how many places are left, and where it stopped to count that there are at least so many", () => {
  const pairs = [{ find: "x", replace: "y" }];
  const leftIn = (count: number): unknown => edit("x\n".repeat(count), pairs).further;
  assert.deepEqual(leftIn(1), []);
  assert.deepEqual(leftIn(2), [{ index: 0, count: 1, isLeast: false, nextLine1: 2 }]);
  assert.deepEqual(leftIn(10_001), [{ index: 0, count: 10_000, isLeast: false, nextLine1: 2 }]);
  assert.deepEqual(leftIn(10_002), [{ index: 0, count: 10_000, isLeast: true, nextLine1: 2 }]);
});
