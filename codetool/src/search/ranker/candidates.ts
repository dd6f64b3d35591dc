import type { CorpusView } from "../../store/index.ts";
import type { CorpusFacts, DocumentScores } from "./field-scores.ts";
import type { FileFactsCache } from "./file-facts.ts";
import { scoreByKernel } from "./kernel-scores.ts";
import type { RankQuery } from "./query.ts";
import { scoreFiles } from "./score-files.ts";

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
  /** What each group of the query weighs. */
  readonly groupWeights: readonly number[];
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
    readonly isIncluded?: ((file: number) => boolean) | undefined;
  },
  { countMax, others = [] }: { readonly countMax: number; readonly others?: readonly number[] },
): Candidates {
  const { facts } = corpus;
  const scored = scoreByKernel(query, facts) ?? scoreFiles(query, facts);
  const { chunks, files, names, comments, bestChunk, score } = scored;
  // The class of a path costs more than its score: only those that may get in are asked.
  const askedMax = countMax * 4;
  const asked = firstOf(scored.found(askedMax, corpus.isIncluded), score, askedMax);
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
      ...chunkFigures(chunks, facts.corpus, { file, bestChunk: chunk }),
      filePlain: files.plain[file] as number,
      fileMerged: files.merged[file] as number,
      namesPlain: names.plain[file] as number,
      namesMerged: names.merged[file] as number,
      commentsMerged: comments.merged[file] as number,
      heldByFile: files.held[file] as number,
      heldByNames: names.held[file] as number,
      heldByComments: comments.held[file] as number,
    };
  });
  return { list, groupWeights: scored.groupWeights };
}

/** The first of some files in the order of their scores, highest first, equal ones by number. */
function firstOf(files: readonly number[], scores: Float64Array, countMax: number): number[] {
  return files
    .toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, countMax);
}

function chunkFigures(
  scores: DocumentScores,
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
