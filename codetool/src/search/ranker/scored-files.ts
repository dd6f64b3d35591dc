import type { DocumentScores } from "./field-scores.ts";

/** The files of a corpus with what speaks for each of them in a query. */
export interface ScoredFiles {
  readonly chunks: DocumentScores;
  readonly files: DocumentScores;
  readonly names: DocumentScores;
  readonly comments: DocumentScores;
  /** What each group of the query weighs over the chunks. */
  readonly groupWeights: readonly number[];
  /** By file: the chunk with the highest score, -1 where none has one. */
  readonly bestChunk: Int32Array;
  /** By file: the sum of all that speaks for it. */
  readonly score: Float64Array;
  /** Files that something speaks for, at least those with the `countMax` highest scores. */
  readonly found: (
    countMax: number,
    isIncluded: ((file: number) => boolean) | undefined,
  ) => readonly number[];
}
