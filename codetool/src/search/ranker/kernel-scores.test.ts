import assert from "node:assert/strict";
import { test } from "node:test";
import type { CorpusView } from "../../store/index.ts";
import { DenseFiles } from "./dense-files.ts";
import { CorpusFacts } from "./field-scores.ts";
import { orderFiles } from "./file-kernel.ts";
import { scoreByKernel } from "./kernel-scores.ts";
import { readRankQuery } from "./query.ts";
import { scoreFiles } from "./score-files.ts";

/** Numbers that are the same in every run. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Fields = Pick<
  CorpusView,
  "fileCount" | "chunkCount" | "chunkStarts" | "lengthsOf" | "postingsOf"
>;

/** A corpus of random postings: some files have no chunks, some terms occur nowhere. */
function makeCorpus(seed: number, fileCount: number): CorpusView {
  const random = makeRandom(seed);
  const chunkStarts = new Uint32Array(fileCount + 1);
  for (let file = 0; file < fileCount; file += 1)
    chunkStarts[file + 1] = (chunkStarts[file] as number) + random(6);
  const chunkCount = chunkStarts[fileCount] as number;
  const countOf = (field: string): number => (field === "body" ? chunkCount : fileCount);
  const lengths = new Map<string, Uint32Array>();
  const postings = new Map<string, ReturnType<CorpusView["postingsOf"]>>();
  const fields: Fields = {
    fileCount,
    chunkCount,
    chunkStarts,
    lengthsOf: (field) => {
      const known = lengths.get(field);
      const own = known ?? Uint32Array.from({ length: countOf(field) }, () => random(300));
      lengths.set(field, own);
      return own;
    },
    postingsOf: (field, term) => {
      const key = `${field} ${term}`;
      const known = postings.get(key);
      if (known !== undefined) return known;
      const share = random(4) * 7;
      const all = Array.from({ length: countOf(field) }, (_, document) => document);
      const documents = Uint32Array.from(all.filter(() => random(100) < share));
      const own = { documents, frequencies: Uint16Array.from(documents, () => 1 + random(9)) };
      postings.set(key, own);
      return own;
    },
  };
  return fields as CorpusView;
}

/** All that is scored, as plain values. */
function sayingOf(scored: ReturnType<typeof scoreFiles>): unknown {
  const { chunks, files, names, comments, bestChunk, score, groupWeights, found } = scored;
  const plain = [chunks, files, names, comments].map(({ plain, merged, held }) => [
    [...plain],
    [...merged],
    [...held],
  ]);
  const all = [...found(1e9, undefined)];
  const some = [...found(40, (file) => file % 3 !== 1)];
  return { plain, bestChunk: [...bestChunk], score: [...score], groupWeights, all, some };
}

test("scores of the compiled loops are those of plain code, bit by bit, one corpus after the other", () => {
  for (const [seed, fileCount] of [
    [1, 2500],
    [2, 4000],
    [3, 1900],
    [4, 6000],
  ] as const)
    for (const text of [
      "idle connections detected",
      "ByteBufAllocator",
      "of the",
      "retryTimeout pool",
    ]) {
      const corpus = makeCorpus(seed, fileCount);
      const query = readRankQuery(text);
      const byKernel = scoreByKernel(query, new CorpusFacts(corpus));
      assert.notEqual(byKernel, undefined);
      const facts = new CorpusFacts(corpus);
      assert.deepEqual(
        byKernel && sayingOf(byKernel),
        sayingOf(scoreFiles(query, facts)),
        `${text} of ${seed}`,
      );
    }
});

test("files are ordered by their nearest chunks as in plain code", () => {
  for (const [seed, fileCount] of [
    [5, 3000],
    [6, 100],
    [7, 0],
  ] as const) {
    const corpus = makeCorpus(seed, fileCount);
    const random = makeRandom(seed);
    // Many are equal, and many are 0 or below.
    const nearness = Float32Array.from({ length: corpus.chunkCount }, () => (random(60) - 20) / 40);
    const compiled = new DenseFiles(corpus, nearness);
    const plain = new DenseFiles(corpus, nearness, () => true);
    assert.deepEqual(compiled.first(1e9), plain.first(1e9));
    assert.equal(compiled.nearest, plain.nearest);
    for (let file = 0; file < fileCount; file += 1)
      assert.deepEqual(compiled.figuresOf(file), plain.figuresOf(file));
  }
});

test("where there is too little memory for the compiled loops, plain code answers, and the next corpus is scored by them", () => {
  const query = readRankQuery("idle connections detected");
  const corpus = makeCorpus(8, 2500);
  // More than WebAssembly can address.
  const huge = { chunkCount: 2 ** 31, fileCount: 3, chunkStarts: new Uint32Array(4) };
  assert.equal(scoreByKernel(query, new CorpusFacts({ ...corpus, ...huge })), undefined);
  assert.equal(orderFiles(huge, { length: 2 ** 31 } as Float32Array), undefined);
  assert.notEqual(scoreByKernel(query, new CorpusFacts(corpus)), undefined);
});
