import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import type { CodeSymbol } from "../syntax/index.ts";
import { chunkText, PostingsBuilder, termsOf } from "./index.ts";

test("termsOf() gives words, parts of compound words, and pairs of CJK characters", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["parseHTTPRequest", "parsehttprequest parse http request"],
    ["snake_case_name", "snake_case_name snake case name"],
    ["_private __init__", "_private private __init__ init"],
    ["HTTP_PORT", "http_port http port"],
    ["sha256Sum utf8", "sha256sum sha256 sum utf8"],
    ["x = 42 + y2;", "x 42 y2"],
    ["getID ID", "getid get id id"],
    ["größeMax Ärger", "größemax größe max ärger"],
    ["検索する", "検索する 検索 索す する"],
    ["___ -- ++", ""],
    ["a".repeat(101), ""],
    ["Öl_öl", "öl_öl öl öl"],
  ];
  for (const [text, expected] of rows) assert.equal(termsOf(text).join(" "), expected, text);
});

test("score() is BM25, and a term that no document has adds nothing", () => {
  const builder = new PostingsBuilder();
  for (const text of ["alpha beta beta", "beta gamma", "delta delta delta delta"]) {
    const bytes = Buffer.from(text);
    builder.addDocument(bytes);
  }
  const postings = builder.finish();
  const [first, second, third] = postings.score(
    new Map([
      ["beta", 1],
      ["missing", 1],
    ]),
  );
  const weight = Math.log((3 - 2 + 0.5) / (2 + 0.5) + 1);
  const expect = (frequency: number, length: number): number =>
    (weight * frequency * 2.5) / (frequency + 1.5 * (0.25 + (0.75 * length) / 3));
  assert.ok(Math.abs((first ?? 0) - expect(2, 3)) < 1e-12);
  assert.ok(Math.abs((second ?? 0) - expect(1, 2)) < 1e-12);
  assert.equal(third, 0);
});

test("postings agree with counting term by term, for any documents", () => {
  const words = fc.constantFrom("a", "aB", "a_b", "AB", "x1", "é", "zz", "日本");
  const documents = fc.array(fc.array(words, { maxLength: 12 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(documents, (texts) => {
      const builder = new PostingsBuilder();
      const counted = texts.map((document) => termsOf(document.join(" ")));
      for (const document of texts) {
        const bytes = Buffer.from(document.join(" "));
        builder.addDocument(bytes);
      }
      const postings = builder.finish();
      for (const [number, terms] of counted.entries())
        assert.equal(postings.lengthOf(number), terms.length);
      for (const term of new Set(counted.flat())) {
        const found = postings.postingsOf(term);
        const expected = counted.flatMap((terms, number) => {
          const count = terms.filter((candidate) => candidate === term).length;
          return count === 0 ? [] : [[number, count]];
        });
        const pairs = [...found.documents].map((document, at) => [document, found.frequencies[at]]);
        assert.deepEqual(pairs, expected, term);
        const narrow = new PostingsBuilder([term]);
        for (const document of texts) {
          const bytes = Buffer.from(document.join(" "));
          narrow.addDocument(bytes);
        }
        const asked = new Map([[term, 1]]);
        assert.deepEqual(narrow.finish().score(asked), postings.score(asked));
      }
    }),
    { numRuns: repetitions(200), seed: 5 },
  );
});

function symbol(startLine1: number, endLine1: number, children: CodeSymbol[] = []): CodeSymbol {
  const bytes = { startByte: 0, endByte: 0, bodyStartByte: 0 };
  const named = { name: "f", kind: "function" as const, signature: "f", isExported: true };
  return { ...named, ...bytes, startLine1, endLine1, children };
}

test("chunkText() covers a text without gap or overlap, within the size, for any text and symbols", () => {
  const line = fc.oneof(
    fc.constantFrom("", "  ", "}", "// comment", "日本語日本語"),
    fc.string({ maxLength: 30 }),
    fc.nat(150).map((length) => "x".repeat(length)),
  );
  const range = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.array(range, { maxLength: 6 }),
      fc.integer({ min: 20, max: 200 }),
      (texts, ranges, sizeMax) => {
        const text = Buffer.from(texts.join("\n"), "utf8");
        const symbols = ranges.map(([start, length]) => symbol(start, start + length));
        const chunks = chunkText(text, symbols, sizeMax);
        let at = 0;
        for (const chunk of chunks) {
          assert.equal(chunk.startByte, at);
          assert.ok(chunk.endByte > chunk.startByte);
          const body = text.toString("utf8", chunk.startByte, chunk.endByte);
          assert.ok(Array.from(body).length <= sizeMax);
          at = chunk.endByte;
        }
        assert.equal(at, text.length);
      },
    ),
    { numRuns: repetitions(500), seed: 9 },
  );
});

test("chunkText() cuts before definitions and keeps their comments with them", () => {
  const lines = [
    "import x;",
    "",
    "// about f",
    "function f() {",
    "  1;",
    "}",
    "",
    "// about g",
    "function g() {",
    "  2;",
    "}",
  ];
  const text = Buffer.from(`${lines.join("\n")}\n`);
  const chunks = chunkText(text, [symbol(4, 6), symbol(9, 11)], 40);
  assert.deepEqual(
    chunks.map((chunk) => [chunk.startLine1, chunk.endLine1]),
    [
      [1, 2],
      [3, 7],
      [8, 11],
    ],
  );
});
