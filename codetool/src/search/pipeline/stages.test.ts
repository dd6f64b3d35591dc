/** Each stage of the pipeline by numbers that can be checked by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { coherenceOf } from "./coherence.ts";
import { definitionsAskedFor } from "./definition.ts";
import { fuseRanks } from "./fuse.ts";
import { orderOf, type PipelineHit, raise, scale } from "./hits.ts";
import { noiseFactorOf } from "./noise.ts";
import { pathMatchOf } from "./path-match.ts";
import { proximityOf } from "./proximity.ts";
import { saturationOf } from "./saturation.ts";
import { lookUpSymbol, symbolNameOf } from "./symbol-query.ts";

/** Hits by their files; chunks are numbered from 0. */
function hitsOf(...files: readonly number[]): PipelineHit[] {
  return files.map((file, chunk) => ({ chunk, file }));
}

test("fuseRanks() adds alpha over 60 and the semantic rank, and the rest over 60 and the lexical rank", () => {
  const fused = fuseRanks({ lexical: [7, 3], semantic: [3, 9], alpha: 0.3 });
  assert.deepEqual(fused, [
    { chunk: 3, score: 0.3 * (1 / 61) + 0.7 * (1 / 62), lexicalRank: 2, semanticRank: 1 },
    { chunk: 7, score: 0.7 * (1 / 61), lexicalRank: 1, semanticRank: 0 },
    { chunk: 9, score: 0.3 * (1 / 62), lexicalRank: 0, semanticRank: 2 },
  ]);
});

test("fuseRanks() with alpha 0 and 1 knows one list alone", () => {
  const lists = { lexical: [1, 2], semantic: [2, 3] };
  const chunksOf = (alpha: number): number[] =>
    fuseRanks({ ...lists, alpha }).map(({ chunk }) => chunk);
  assert.deepEqual(chunksOf(0), [1, 2]);
  assert.deepEqual(chunksOf(1), [2, 3]);
});

test("raise() adds the highest score times weight and value, scale() multiplies", () => {
  const scores = Float64Array.of(4, 1);
  assert.deepEqual([...raise(scores, { weight: 0.5, values: Float64Array.of(0, 1) })], [4, 3]);
  assert.deepEqual([...scale(scores, Float64Array.of(0.25, 2))], [1, 2]);
});

test("orderOf() puts equal scores in the order of chunks", () => {
  assert.deepEqual(orderOf(hitsOf(5, 4, 3), Float64Array.of(1, 2, 1)), [1, 0, 2]);
});

test("coherenceOf() gives the best chunk of each file the file's share of the highest sum", () => {
  const values = coherenceOf(hitsOf(1, 1, 2), Float64Array.of(1, 3, 2));
  assert.deepEqual([...values], [0, 1, 0.5]);
  assert.deepEqual([...coherenceOf(hitsOf(1), Float64Array.of(0))], [0]);
});

test("definitionsAskedFor() wants the same name for a symbol, and a keyword in the name for words", () => {
  const names = ["RetryQueue", "retryqueue", "RetryQueueFull", "other"];
  const options = {
    definitionsOf: ({ chunk }: PipelineHit) => [
      { name: names[chunk] as string, kind: "class" as const },
    ],
    stemOf: ({ file }: PipelineHit) => (file === 1 ? "retry" : "misc"),
    keywords: ["retry", "queue"],
  };
  const hits = hitsOf(1, 2, 1, 1);
  const symbol = definitionsAskedFor(hits, { ...options, symbolName: "RetryQueue" });
  assert.deepEqual([...symbol], [1.5, 1, 0, 0]);
  const words = definitionsAskedFor(hits, { ...options, symbolName: null });
  assert.deepEqual([...words], [1.5, 1, 1.5, 0]);
});

test("definitionsAskedFor() counts constants for the name of a symbol alone", () => {
  const options = {
    definitionsOf: () => [{ name: "limit", kind: "const" as const }],
    stemOf: () => "a",
    keywords: ["limit"],
  };
  assert.deepEqual([...definitionsAskedFor(hitsOf(1), { ...options, symbolName: null })], [0]);
  assert.deepEqual([...definitionsAskedFor(hitsOf(1), { ...options, symbolName: "LIMIT" })], [1]);
});

/** Imports as a path from file 1 to file 5, both ways. */
function neighboursOf(file: number): readonly number[] {
  return [file - 1, file + 1].filter((other) => other >= 1 && other <= 5);
}

test("proximityOf() halves with the second hop and ends there", () => {
  // File 1 is the only one with a tenth of the highest sum.
  const values = proximityOf(hitsOf(1, 2, 3, 4), Float64Array.of(100, 9, 9, 9), neighboursOf);
  assert.deepEqual([...values], [0, 1, 0.5, 0]);
});

test("proximityOf() measures to another file than the one itself, for those that it measures from, too", () => {
  const beside = proximityOf(hitsOf(1, 2, 3, 4), Float64Array.of(100, 10, 9, 9), neighboursOf);
  assert.deepEqual([...beside], [1, 1, 1, 0.5]);
  const apart = proximityOf(hitsOf(1, 5, 4), Float64Array.of(100, 50, 9), neighboursOf);
  assert.deepEqual([...apart], [0, 0, 1]);
});

test("proximityOf() measures from eight files at most", () => {
  const hits = hitsOf(...Array.from({ length: 10 }, (_, file) => file));
  const edges = new Map([
    [7, [8]],
    [8, [7, 9]],
    [9, [8]],
  ]);
  const values = proximityOf(hits, new Float64Array(10).fill(1), (file) => edges.get(file) ?? []);
  assert.deepEqual([...values], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0.5]);
});

test("pathMatchOf() is the share of keywords with which a part of the path begins, from a tenth on", () => {
  const parts = ["authentication", "login"];
  const share = (...keywords: readonly string[]): number | undefined =>
    pathMatchOf(hitsOf(1), keywords, () => parts)[0];
  assert.equal(share("auth", "login"), 1);
  assert.equal(share("auth", "session"), 0.5);
  assert.equal(share("thentic"), 0);
  assert.equal(share("auth", ..."abcdefghij".split("").map((letter) => `z${letter}`)), 0);
  assert.equal(share(), 0);
});

test("noiseFactorOf() multiplies what speaks against a path", () => {
  const rows: readonly (readonly [string, number])[] = [
    ["src/retry.ts", 1],
    ["src/retry.test.ts", 0.3],
    ["tests/retry.py", 0.3],
    ["src/legacy/retry.py", 0.3],
    ["src/_compat/retry.py", 0.3],
    ["examples/retry.py", 0.3],
    ["docs/retry.md", 0.3],
    ["tests/legacy/retry.py", 0.09],
    ["types/retry.d.ts", 0.7],
    ["types/index.d.ts", 0.7],
    ["src/contest/latest.ts", 1],
  ];
  for (const [path, factor] of rows)
    assert.ok(Math.abs(noiseFactorOf(path, true) - factor) < 1e-9, path);
});

test("noiseFactorOf() halves an entry that defines nothing itself", () => {
  for (const path of ["src/index.ts", "pkg/__init__.py", "src/mod.rs"]) {
    assert.equal(noiseFactorOf(path, false), 0.5, path);
    assert.equal(noiseFactorOf(path, true), 1, path);
  }
  assert.equal(noiseFactorOf("src/retry.ts", false), 1);
});

test("saturationOf() halves each further chunk of a file, its best first", () => {
  const values = saturationOf(hitsOf(1, 1, 2, 1), Float64Array.of(1, 3, 2, 2));
  assert.deepEqual([...values], [0.25, 1, 1, 0.5]);
});

test("symbolNameOf() takes names for names and words for words", () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ["parseConfig", "parseConfig"],
    ["Parser", "Parser"],
    ["parse_config", "parse_config"],
    ["Config::parse", "parse"],
    ["list.append", "append"],
    ["main()", "main"],
    ["_private", "_private"],
    ["retry", null],
    ["rate limiting", null],
    ["Config::parse errors", null],
  ];
  for (const [query, name] of rows) assert.equal(symbolNameOf(query), name, query);
});

test("lookUpSymbol() prefers the name as it is written", () => {
  const symbol = (name: string, file: number) => ({
    name,
    kind: "class" as const,
    startLine1: 1,
    endLine1: 1,
    isExported: true,
    file,
  });
  const all = [symbol("retry", 1), symbol("Retry", 2)];
  assert.deepEqual(
    lookUpSymbol("Retry", () => all).map(({ file }) => file),
    [2],
  );
  assert.deepEqual(
    lookUpSymbol("RETRY", () => all).map(({ file }) => file),
    [1, 2],
  );
});
