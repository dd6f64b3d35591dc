import type { CorpusView } from "../../store/index.ts";
import {
  type BodyScores,
  type CorpusFacts,
  type FieldScores,
  scoreBody,
  scoreFileField,
} from "./field-scores.ts";
import type { FileFactsCache } from "./file-facts.ts";
import type { RankQuery } from "./query.ts";

/** A file that may answer a query, with what the index tells of it. */
export interface Candidate {
  readonly file: number;
  readonly bestChunk: number;
  /** BM25 of the best chunk, and the second best. */
  readonly chunkPlain: number;
  readonly chunkMerged: number;
  readonly secondMerged: number;
  readonly filePlain: number;
  readonly fileMerged: number;
  readonly namesPlain: number;
  readonly namesMerged: number;
  readonly commentsMerged: number;
  /** Groups of the query that its best chunk, all of it, its names, its comments hold. */
  readonly heldByChunk: number;
  readonly heldByFile: number;
  readonly heldByNames: number;
  readonly heldByComments: number;
}

/** The candidates of a query, and what their figures are measured against. */
export interface Candidates {
  readonly list: readonly Candidate[];
  readonly body: BodyScores;
  readonly names: FieldScores;
  readonly comments: FieldScores;
}

/** How much a file counts in the choice of candidates, by its class. */
const classFactors: { readonly [fileClass: string]: number } = {
  source: 1,
  declarations: 0.8,
  config: 0.7,
  docs: 0.6,
  test: 0.6,
  example: 0.6,
  data: 0.5,
  generated: 0.4,
  vendored: 0.3,
};

/**
 * Chooses the files to rank: those with the highest
 * `class · (chunk/max + 0.5·file/max + 0.5·names/max + 0.25·comments/max)`, BM25 each, all forms of a word as one.
 *
 * @param options.others Files that are candidates whatever their words.
 */
export function findCandidates(
  query: RankQuery,
  corpus: {
    readonly facts: CorpusFacts;
    readonly files: FileFactsCache;
    readonly isIncluded?: (file: number) => boolean;
  },
  { countMax, others = [] }: { readonly countMax: number; readonly others?: readonly number[] },
): Candidates {
  const { facts } = corpus;
  const body = scoreBody(query, facts);
  const names = scoreFileField(query, facts, "names");
  const comments = scoreFileField(query, facts, "comments");
  const { fileCount } = facts.corpus;
  const best = new Float64Array(fileCount);
  const bestChunk = new Int32Array(fileCount).fill(-1);
  const { merged, scored } = body.chunks;
  for (const chunk of scored.numbers) {
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
    for (const file of numbers) most = Math.max(most, values[file] as number);
    for (const file of numbers) {
      const before = score[file] as number;
      if (before === 0 && corpus.isIncluded?.(file) !== false) found.push(file);
      score[file] = before + (weight * (values[file] as number)) / most;
    }
  }
  // The class of a path costs more than its score: only those that may get in are asked.
  const asked = bestOf(found, score, countMax * 4);
  for (const file of asked)
    score[file] =
      (score[file] as number) * (classFactors[corpus.files.factsOf(file).fileClass] ?? 1);
  asked.sort((a, b) => (score[b] as number) - (score[a] as number) || a - b);
  const chosen = new Set([...asked.slice(0, countMax), ...others]);
  const list = [...chosen].map((file): Candidate => {
    const chunk = bestChunk[file] as number;
    return {
      file,
      bestChunk: chunk,
      ...chunkFigures(body.chunks, facts.corpus, { file, bestChunk: chunk }),
      filePlain: body.files.plain[file] as number,
      fileMerged: body.files.merged[file] as number,
      namesPlain: names.plain[file] as number,
      namesMerged: names.merged[file] as number,
      commentsMerged: comments.merged[file] as number,
      heldByFile: body.files.held[file] as number,
      heldByNames: names.held[file] as number,
      heldByComments: comments.held[file] as number,
    };
  });
  return { list, body, names, comments };
}

/** The first of some files in the order of their scores, highest first, equal ones by number. */
function bestOf(files: readonly number[], scores: Float64Array, countMax: number): number[] {
  let candidates = files;
  if (files.length > countMax) {
    // An array of only numbers is sorted without callbacks: this drops those below the last that is kept.
    const sorted = Float64Array.from(files, (file) => scores[file] as number).sort();
    const least = sorted[sorted.length - countMax] as number;
    candidates = files.filter((file) => (scores[file] as number) >= least);
  }
  return candidates
    .toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, countMax);
}

function chunkFigures(
  scores: FieldScores,
  { chunkStarts }: CorpusView,
  { file, bestChunk }: { readonly file: number; readonly bestChunk: number },
): Pick<Candidate, "chunkPlain" | "chunkMerged" | "secondMerged" | "heldByChunk"> {
  const end = chunkStarts[file + 1] as number;
  let chunkPlain = 0;
  let secondMerged = 0;
  for (let chunk = chunkStarts[file] as number; chunk < end; chunk += 1) {
    chunkPlain = Math.max(chunkPlain, scores.plain[chunk] as number);
    if (chunk !== bestChunk) secondMerged = Math.max(secondMerged, scores.merged[chunk] as number);
  }
  return {
    chunkPlain,
    chunkMerged: bestChunk < 0 ? 0 : (scores.merged[bestChunk] as number),
    secondMerged,
    heldByChunk: bestChunk < 0 ? 0 : (scores.held[bestChunk] as number),
  };
}
