import { type CorpusFacts, scoreBody, scoreFileField } from "./field-scores.ts";
import type { RankQuery } from "./query.ts";
import type { ScoredFiles } from "./scored-files.ts";

/** Scores the files of a corpus in plain code: the same as `scoreByKernel`. */
export function scoreFiles(query: RankQuery, facts: CorpusFacts): ScoredFiles {
  const body = scoreBody(query, facts);
  const names = scoreFileField(query, facts, "names");
  const comments = scoreFileField(query, facts, "comments");
  const { fileCount } = facts.corpus;
  const best = new Float64Array(fileCount);
  const bestChunk = new Int32Array(fileCount).fill(-1);
  const { merged, scored } = body.chunks;
  const scoredChunks = scored.numbers;
  // An iterator takes several times as long, here and below.
  for (let at = 0; at < scoredChunks.length; at += 1) {
    const chunk = scoredChunks[at] as number;
    const value = merged[chunk] as number;
    const file = facts.fileOfChunk[chunk] as number;
    const most = best[file] as number;
    if (value < most || (value === most && chunk > (bestChunk[file] as number))) continue;
    best[file] = value;
    bestChunk[file] = chunk;
  }
  const parts = [
    { values: best, weight: 1, numbers: body.files.scored.numbers },
    { values: body.files.merged, weight: 0.5, numbers: body.files.scored.numbers },
    { values: names.merged, weight: 0.5, numbers: names.scored.numbers },
    { values: comments.merged, weight: 0.25, numbers: comments.scored.numbers },
  ];
  const score = new Float64Array(fileCount);
  const found: number[] = [];
  for (const { values, weight, numbers } of parts) {
    let most = 0;
    for (let at = 0; at < numbers.length; at += 1)
      most = Math.max(most, values[numbers[at] as number] as number);
    for (let at = 0; at < numbers.length; at += 1) {
      const file = numbers[at] as number;
      const before = score[file] as number;
      if (before === 0) found.push(file);
      score[file] = before + (weight * (values[file] as number)) / most;
    }
  }
  const { chunks, files } = body;
  return {
    chunks,
    files,
    names,
    comments,
    groupWeights: chunks.groupWeights,
    bestChunk,
    score,
    found: (countMax, isIncluded) => {
      const kept = isIncluded === undefined ? found : found.filter((file) => isIncluded(file));
      return likelyBest(kept, score, countMax);
    },
  };
}

/** Files without those below the last that is kept. */
function likelyBest(
  files: readonly number[],
  scores: Float64Array,
  countMax: number,
): readonly number[] {
  if (files.length <= countMax) return files;
  // An array of only numbers is sorted without callbacks.
  const sorted = Float64Array.from(files, (file) => scores[file] as number).sort();
  const least = sorted[sorted.length - countMax] as number;
  return files.filter((file) => (scores[file] as number) >= least);
}
