import assert from "node:assert/strict";
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { array, assert as assertProperty, asyncProperty, constantFrom, nat } from "fast-check";
import { createTemporaryFolder, repetitions } from "testkit";
import { walkFiles } from "../../files/index.ts";
import { loadTokenTable, TextEmbedder } from "../../model/index.ts";
import { filesThatMayHold } from "./files-that-may-hold.ts";
import { segmentInMemory } from "./index-in-memory.ts";
import { SegmentBuilder } from "../segment/builder.ts";
import type { Segment } from "../segment/segment.ts";
import { updateIndex } from "../folder/update-index.ts";
import { coversAllWords, wordPiecesOf } from "../segment/word-cover.ts";
import { WordIndex } from "./word-index.ts";

async function segmentOf(texts: readonly Buffer[], chunkSizeCharacters: number): Promise<Segment> {
  const builder = new SegmentBuilder(chunkSizeCharacters, new TextEmbedder(loadTokenTable()));
  for (const [index, text] of texts.entries()) {
    const path = String.fromCodePoint(0x61 + index);
    const file = { path, sizeBytes: text.length, modifiedMs: 0, hash: "0".repeat(32) };
    const content = { text, symbols: [], imports: new Uint8Array(0) };
    await builder.add({ ...file, language: null }, content);
  }
  return segmentInMemory(builder, 1);
}

test("filesThatMayHold() never leaves out a file that holds the text, whatever stands in it and however it is cut", async () => {
  const part = constantFrom(
    ..."a b B Ab aB x1 _ __ _a foo fooBar HTTPServer é É ß İ ǅ 中文 漢 K \u0301 ﬁ \uFEFF - -> ( ) \n \r\n . $ \0".split(
      " ",
    ),
    " ",
    "x".repeat(60),
    "Y_".repeat(30),
    "é".repeat(40),
  );
  const bytes = constantFrom(
    Buffer.from([0xff]),
    Buffer.from([0xc3]),
    Buffer.from([0xe4, 0xb8]),
    Buffer.from("word"),
  );
  const text = array(part, { maxLength: 40 });
  await assertProperty(
    asyncProperty(
      array(text, { minLength: 1, maxLength: 4 }),
      array(bytes, { maxLength: 3 }),
      array(nat(10_000), { minLength: 8, maxLength: 8 }),
      constantFrom(20, 50, 1500),
      // oxlint-disable-next-line max-params -- a property takes each of its values as a parameter
      async (contents, tail, cuts, chunkSize) => {
        const texts = contents.map((parts, index) =>
          Buffer.concat([Buffer.from(parts.join("")), ...(index === 0 ? tail : [])]),
        );
        const segment = await segmentOf(texts, chunkSize);
        for (const [file, content] of texts.entries())
          for (let at = 0; at + 1 < cuts.length && content.length > 0; at += 2) {
            const start = (cuts[at] as number) % content.length;
            const end = start + 1 + ((cuts[at + 1] as number) % (content.length - start));
            const held = filesThatMayHold(segment, [[content.subarray(start, end)]]);
            assert.equal(held[file], 1, JSON.stringify(content.toString("latin1", start, end)));
          }
      },
    ),
    { numRuns: repetitions(100) },
  );
});

test("filesThatMayHold() leaves out files without the words, and takes groups for alternatives", async () => {
  const texts = ["parseConfig(alpha)", "config.parse(beta)", "gamma", "x".repeat(200)];
  const segment = await segmentOf(
    texts.map((text) => Buffer.from(text)),
    1500,
  );
  const check = (groups: readonly (readonly string[])[], expected: readonly number[]): void => {
    const held = filesThatMayHold(
      segment,
      groups.map((group) => group.map((text) => Buffer.from(text))),
    );
    // The last has a word that is too long to be known.
    assert.deepEqual([...held], [...expected, 1], JSON.stringify(groups));
  };
  check([["parse"]], [1, 1, 0]);
  check([["seConf"]], [1, 0, 0]);
  check([["PARSECONFIG("]], [1, 0, 0]);
  // The parts of a compound word are words, too.
  check([[".parse("]], [1, 1, 0]);
  check([["(beta)"]], [0, 1, 0]);
  check([["(alpha)"]], [1, 0, 0]);
  check([["(alph)"]], [0, 0, 0]);
  check([["alpha"], ["gamma"]], [1, 0, 1]);
  check([["parse", "beta"]], [0, 1, 0]);
  check([["->"]], [1, 1, 1]);
  check([["nowhere"]], [0, 0, 0]);
});

test("wordPiecesOf() knows where a word must begin and end", () => {
  const pieces = (literal: string): string[] =>
    wordPiecesOf(Buffer.from(literal)).map(
      ({ text, isStart, isEnd }) => `${isStart ? "^" : ""}${text}${isEnd ? "$" : ""}`,
    );
  assert.deepEqual(pieces("foo.Bar("), ["foo$", "^bar$"]);
  assert.deepEqual(pieces(" foo"), ["^foo"]);
  assert.deepEqual(pieces("éfoo"), ["foo"]);
  assert.deepEqual(pieces("__(_a)"), ["^_a$"]);
  assert.deepEqual(pieces("->"), []);
});

test("coversAllWords() sees words that are too long, or cut", () => {
  const check = (text: string, ends: readonly number[], expected: boolean): void => {
    assert.equal(coversAllWords(Buffer.from(text), ends), expected, `${text} ${ends.join()}`);
  };
  check("ab cd", [3, 5], true);
  check("ab cd", [4, 5], false);
  check("", [], true);
  for (const before of [0, 1, 50, 99, 100, 101, 150]) {
    check(`${" ".repeat(before)}${"x".repeat(100)} y`, [], true);
    check(`${" ".repeat(before)}${"x".repeat(101)} y`, [], false);
    check(`${" ".repeat(before)}${"é".repeat(51)} y`, [], false);
  }
});

test("WordIndex keeps what changed since it was indexed, and what is new", async () => {
  using tree = createTemporaryFolder({
    "src/a.ts": "alpha();\n",
    "src/b.ts": "beta();\n",
    "src/c.ts": "gamma();\n",
    "lib/d.ts": "delta();\n",
  });
  const longAgo = new Date("2020-01-01T00:00:00Z");
  for (const path of ["src/a.ts", "src/b.ts", "src/c.ts", "lib/d.ts"])
    utimesSync(join(tree.path, path), longAgo, longAgo);
  await updateIndex({
    root: tree.path,
    environment: {},
    chunkSizeCharacters: 200,
    fileSizeBytesMax: 1_000_000,
    isRebuild: false,
    nowMs: () => Date.parse("2100-01-01T00:00:00Z"),
    process: { id: 1, isAlive: () => true },
  });
  const narrowed = (folder: string, text: string): string[] => {
    using words = WordIndex.open(tree.path);
    assert.ok(words !== undefined);
    const { files } = walkFiles({
      root: join(tree.path, folder),
      environment: {},
      sizeBytesMax: 1_000_000,
    });
    return words.narrow(files, [[Buffer.from(text)]]).map(({ relativePath }) => relativePath);
  };
  assert.deepEqual(narrowed("", "alpha("), ["src/a.ts"]);
  assert.deepEqual(narrowed("src", "alpha("), ["a.ts"]);
  writeFileSync(join(tree.path, "src/e.ts"), "new\n");
  assert.deepEqual(narrowed("src", "alpha("), ["a.ts", "e.ts"]);
  // As long as before: the time alone tells.
  const { size } = statSync(join(tree.path, "src/b.ts"));
  writeFileSync(join(tree.path, "src/b.ts"), "x".repeat(size));
  assert.deepEqual(narrowed("", "alpha("), ["src/a.ts", "src/b.ts", "src/e.ts"]);
  // As young as before: the size alone tells.
  writeFileSync(join(tree.path, "src/c.ts"), "longer than it was\n");
  utimesSync(join(tree.path, "src/c.ts"), longAgo, longAgo);
  assert.deepEqual(narrowed("", "alpha("), ["src/a.ts", "src/b.ts", "src/c.ts", "src/e.ts"]);
});
