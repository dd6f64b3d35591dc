/** Laws of `codetool edit` on files: any sequence of edits is the language's own, in any encoding; a failed one is nothing. */
import assert from "node:assert/strict";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryFolder } from "testkit";
import { runBatch } from "../../cli/test-support/codetool.ts";

interface Edited {
  readonly applied: boolean;
  readonly total_replacements: number;
}

/** How a text is written to a file; what it cannot write is not in its letters. */
const encodings: readonly {
  readonly letters: readonly string[];
  readonly encode: (text: string) => Buffer;
}[] = [
  { letters: ["a", "b", "\n", "é", "😀", "\0"], encode: (text) => Buffer.from(text) },
  { letters: ["a", "b", "\n", "é"], encode: (text) => Buffer.from(`\ufeff${text}`) },
  {
    letters: ["a", "b", "\n", "é", "😀"],
    encode: (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  },
  {
    letters: ["a", "b", "\n", "é"],
    encode: (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
  },
  // The first byte alone says that it is no UTF-8.
  { letters: ["a", "b", "\n", "é", "\0"], encode: (text) => Buffer.from(`\xff${text}`, "latin1") },
  {
    letters: ["a", "b", "\n", "é"],
    encode: (text) => Buffer.concat([Buffer.from("ü"), Buffer.of(0xff), Buffer.from(text)]),
  },
];

const scenario = fc.constantFrom(...encodings).chain(({ letters, encode }) => {
  const text = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
  return fc.record({
    encode: fc.constant(encode),
    isCrlf: fc.boolean(),
    text: text(0, 40),
    edits: fc.array(
      fc.record({
        pairs: fc.array(fc.record({ find: text(1, 3), replace: text(0, 3) }), {
          minLength: 1,
          maxLength: 3,
        }),
        isAll: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  });
});

test("any sequence of edits of a file equals the language's own replace, in any encoding", async () => {
  using folder = createTemporaryFolder();
  const scenarios = fc.sample(scenario, { numRuns: 150, seed: 7 });
  const lines: object[] = [];
  const outcomes: string[] = [];
  const expected: { readonly bytes: Buffer; readonly hasLineEnds: boolean }[] = [];
  for (const [index, { encode, isCrlf, text, edits }] of scenarios.entries()) {
    // A last line that stays tells which line ends the file has.
    const lineEnd = (plain: string): string =>
      isCrlf ? `${plain}\nend\n`.replaceAll("\n", "\r\n") : `${plain}\nend\n`;
    writeFileSync(join(folder.path, `f${index}`), encode(lineEnd(text)));
    let current = `${text}\nend\n`;
    let hasLineEnds = true;
    for (const { pairs, isAll } of edits) {
      const find = pairs.map((pair) => pair.find);
      const replace = pairs.map((pair) => pair.replace);
      lines.push({ cmd: "edit", file: `f${index}`, find, replace, all: isAll, apply: true });
      let next = current;
      let [isFound, keepsLineEnds] = [true, true];
      for (const pair of pairs) {
        isFound &&= next.includes(pair.find);
        next = isAll
          ? next.replaceAll(pair.find, () => pair.replace)
          : next.replace(pair.find, () => pair.replace);
        keepsLineEnds &&= next.includes("\n");
      }
      // An edit of which one text is not there is none.
      outcomes.push(isFound ? "ok" : "no_match");
      if (!isFound) continue;
      current = next;
      hasLineEnds &&= keepsLineEnds;
    }
    const bytes = encode(isCrlf ? current.replaceAll("\n", "\r\n") : current);
    expected.push({ bytes, hasLineEnds });
  }
  const envelopes = await runBatch<Edited>(lines, { workingDirectory: folder.path });
  assert.deepEqual(
    envelopes.map(({ status, error }) => error?.code ?? status),
    outcomes,
  );
  let exactCount = 0;
  for (const [index, { bytes, hasLineEnds }] of expected.entries()) {
    const found = readFileSync(join(folder.path, `f${index}`));
    // Where all line ends were edited away, nothing tells what those that come later are.
    if (!hasLineEnds) continue;
    exactCount += 1;
    assert.deepEqual(found, bytes, JSON.stringify({ index, ...scenarios[index] }));
  }
  assert.ok(exactCount > 120, String(exactCount));
});

test("an edit that fails leaves bytes and time as they were", async () => {
  using folder = createTemporaryFolder({
    "a.ts": "function f() {\r\n  return 1;\r\n}",
    "b.ts": "const b = 1;\n",
    "latin.txt": Buffer.from("caf\xe9", "latin1"),
  });
  const files = ["a.ts", "b.ts", "latin.txt"].map((name) => join(folder.path, name));
  for (const file of files) utimesSync(file, 1000, 1000);
  const state = (): unknown =>
    files.map((file) => [
      readFileSync(file).toString("latin1"),
      statSync(file).mtimeMs,
      statSync(file).ino,
    ]);
  const before = state();
  const edit = (more: object): object => ({ cmd: "edit", file: "a.ts", apply: true, ...more });
  const pair = { find: "1", replace: "2" };
  const cases: readonly (readonly [object, string])[] = [
    [edit({ find: "return 1;", replace: "return (;" }), "syntax_error"],
    [edit({ ...pair, in_function: "g" }), "invalid_range"],
    [edit({ ...pair, in_class: "f" }), "invalid_range"],
    [edit({ ...pair, expect_hash: "0".repeat(32) }), "file_changed"],
    [edit({ ...pair, file: ["a.ts", "none"] }), "file_not_found"],
    [
      edit({ ...pair, file: ["b.ts", "a.ts", "latin.txt"], find: ["1", "é"], replace: ["2", "€"] }),
      "invalid_argument",
    ],
    [edit({ find: ["1", "2"], replace: "2" }), "invalid_argument"],
    [edit({ find: "(", replace: "2", regex: true }), "invalid_argument"],
    [edit({ find: "1", replace: "$3", regex: true }), "invalid_argument"],
    [edit({ replace_body: "g", text: "x" }), "invalid_range"],
    [edit({ replace_body: "f", text: "x(" }), "syntax_error"],
    [edit({ insert_after: "f", text: "x", ...pair }), "invalid_argument"],
    [edit({ insert_after: "f", text: "-" }), "invalid_argument"],
    [edit({ find: "", replace: "x" }), "invalid_argument"],
    [edit({ find: "\ud800", replace: "x" }), "invalid_argument"],
    [edit({}), "invalid_argument"],
  ];
  const envelopes = await runBatch<Edited>(
    cases.map(([line]) => line),
    { workingDirectory: folder.path },
  );
  for (const [index, [line, code]] of cases.entries())
    assert.equal(envelopes[index]?.error?.code, code, JSON.stringify(line));
  assert.deepEqual(state(), before);
});
