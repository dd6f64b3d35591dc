import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryCorpusBuilder } from "../corpus/query-corpus.ts";
import { bestChunks, scoreLexically } from "./retrieve.ts";

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? NaN) - expected) < 1e-4, `found ${actual}, wanted ${expected}`);
}

function corpusOf(files: { readonly [path: string]: string }) {
  const builder = new QueryCorpusBuilder({ chunkSizeCharacters: 1500 });
  for (const [path, content] of Object.entries(files)) {
    const text = Buffer.from(content, "utf8");
    builder.add({ path, sizeBytes: text.length, language: null, text, symbols: [] });
  }
  return builder.finish();
}

test("scoreLexically() is BM25 with k1 1.5 and b 0.75 over the identifiers of a query and their parts", () => {
  // Lengths with path words (the stem twice): 2+2, 4+2, 2+2; mean 14/3.
  const corpus = corpusOf({
    "a.txt": "red fish",
    "b.txt": "red red blue sky",
    "c.txt": "no match",
  });
  const scores = scoreLexically("red", corpus, 14 / 3);
  // df 2 of 3: ln(1.5/2.5 + 1) = 0.47000. tf 1, ratio 4/4.6667: 2.5/(1 + 1.5·(0.25 + 0.642857)) = 1.068702.
  assertNear(scores[0], 0.470004 * 1.068702);
  // tf 2, ratio 6/4.6667: 5/(2 + 1.5·(0.25 + 0.964286)) = 1.308411.
  assertNear(scores[1], 0.470004 * 1.308411);
  assert.equal(scores[2], 0);
  assertNear(scoreLexically("red red", corpus, 14 / 3)[0], 2 * 0.470004 * 1.068702);
});

test("scoreLexically() counts the stem of a file twice and its last three folders, and does not stem", () => {
  const corpus = corpusOf({ "w/x/y/z/retry_queue.ts": "nothing", "other.ts": "retries" });
  assert.deepEqual([...corpus.postingsOf("body", "retry").frequencies], [2]);
  assert.deepEqual([...corpus.postingsOf("body", "x").frequencies], [1]);
  assert.equal(corpus.postingsOf("body", "w").documents.length, 0);
  const [first, second] = scoreLexically("retryQueue", corpus, 10);
  assert.ok((first ?? 0) > 0);
  assert.equal(second, 0);
});

test("bestChunks() keeps the highest scores above 0, equal ones in the order of chunks, however many are asked for", () => {
  const scores = Float64Array.of(1, 3, 0, 3, 2, 5, -1);
  const isIncluded = (chunk: number): boolean => chunk !== 5;
  assert.deepEqual(bestChunks(scores, { countMax: 3, isIncluded }), [1, 3, 4]);
  assert.deepEqual(bestChunks(scores, { countMax: 10, isIncluded }), [1, 3, 4, 0]);
  assert.deepEqual(bestChunks(scores, { countMax: 1000, isIncluded }), [1, 3, 4, 0]);
});
