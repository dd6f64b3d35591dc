import { saturate } from "../../index/index.ts";
import type { CorpusField, CorpusView } from "../../store/index.ts";
import type { RankQuery } from "./query.ts";

/** Scores of documents for one query. */
export interface DocumentScores {
  /** BM25 with the words as they are written. */
  readonly plain: Float64Array;
  /** BM25 with all forms of a word counted as one term. */
  readonly merged: Float64Array;
  /** A bit for each group of the query that the document holds. */
  readonly held: Uint32Array;
}

/** Scores of all documents of one field for one query. */
export interface FieldScores extends DocumentScores {
  /** The documents with a score above 0, in no order. */
  readonly scored: ScoredDocuments;
  /** ln((N - df + 0.5) / (df + 0.5) + 1) of each group, all its forms counted as one term, times its importance. */
  readonly groupWeights: readonly number[];
}

/** What does not change from query to query. */
export class CorpusFacts {
  readonly corpus: CorpusView;
  #fileOfChunk: Uint32Array | undefined;
  readonly #lengthMeans = new Map<CorpusField, number>();
  /** Terms of a file's chunks; below 0 where they were not counted yet. */
  readonly #fileLengths: Float64Array;
  #fileLengthMean: number | undefined;

  constructor(corpus: CorpusView) {
    this.corpus = corpus;
    this.#fileLengths = new Float64Array(corpus.fileCount).fill(-1);
  }

  /** The file of each chunk. */
  get fileOfChunk(): Uint32Array {
    if (this.#fileOfChunk !== undefined) return this.#fileOfChunk;
    const { chunkStarts, fileCount, chunkCount } = this.corpus;
    const fileOfChunk = new Uint32Array(chunkCount);
    for (let file = 0; file < fileCount; file += 1) {
      const firstChunk = chunkStarts[file] as number;
      const chunkEnd = chunkStarts[file + 1] as number;
      if (chunkEnd > firstChunk) fileOfChunk.fill(file, firstChunk, chunkEnd);
    }
    this.#fileOfChunk = fileOfChunk;
    return fileOfChunk;
  }

  /** Mean number of terms of the files that have chunks. */
  get fileLengthMean(): number {
    if (this.#fileLengthMean !== undefined) return this.#fileLengthMean;
    const { chunkStarts, fileCount, chunkCount } = this.corpus;
    const lengths = this.corpus.lengthsOf("body");
    let textCount = 0;
    for (let file = 0; file < fileCount; file += 1)
      if ((chunkStarts[file + 1] as number) > (chunkStarts[file] as number)) textCount += 1;
    let sum = 0;
    for (let chunk = 0; chunk < chunkCount; chunk += 1) sum += lengths[chunk] as number;
    this.#fileLengthMean = Math.max(1, sum / Math.max(1, textCount));
    return this.#fileLengthMean;
  }

  /** Keeps what `lengthMeanOf` will say, where it was counted elsewhere. */
  noteLengthMean(field: CorpusField, mean: number): void {
    this.#lengthMeans.set(field, mean);
  }

  /** Terms of a file's chunks over the mean. */
  lengthRatioOfFile(file: number): number {
    let length = this.#fileLengths[file] as number;
    if (length < 0) {
      const { chunkStarts } = this.corpus;
      const lengths = this.corpus.lengthsOf("body");
      length = 0;
      for (
        let chunk = chunkStarts[file] as number;
        chunk < (chunkStarts[file + 1] as number);
        chunk += 1
      )
        length += lengths[chunk] as number;
      this.#fileLengths[file] = length;
    }
    return length / this.fileLengthMean;
  }

  /** Mean number of terms of a field's documents that have any. */
  lengthMeanOf(field: CorpusField): number {
    let mean = this.#lengthMeans.get(field);
    if (mean === undefined) {
      let sum = 0;
      let count = 0;
      const lengths = this.corpus.lengthsOf(field);
      for (let at = 0; at < lengths.length; at += 1) {
        const length = lengths[at] as number;
        sum += length;
        if (length > 0) count += 1;
      }
      mean = Math.max(1, sum / Math.max(1, count));
      this.#lengthMeans.set(field, mean);
    }
    return mean;
  }
}

/** ln((N - df + 0.5) / (df + 0.5) + 1) */
export function rarityOf(documentCount: number, holderCount: number): number {
  return Math.log((documentCount - holderCount + 0.5) / (holderCount + 0.5) + 1);
}

/** The documents that have a score. */
class ScoredDocuments {
  readonly #documents: Uint32Array;
  #count = 0;

  constructor(documentCount: number) {
    this.#documents = new Uint32Array(documentCount);
  }

  /** Adds one that has no score yet. */
  add(document: number, scores: Float64Array): void {
    if ((scores[document] as number) > 0) return;
    this.#documents[this.#count] = document;
    this.#count += 1;
  }

  /** Their numbers. */
  get numbers(): Uint32Array {
    return this.#documents.subarray(0, this.#count);
  }
}

/** Counts of one term or group over the documents of a field, reused from term to term. */
class Tally {
  readonly counts: Uint32Array;
  readonly touched: Uint32Array;
  touchedCount = 0;

  constructor(documentCount: number) {
    this.counts = new Uint32Array(documentCount);
    this.touched = new Uint32Array(documentCount);
  }

  add(document: number, count: number): void {
    if (this.counts[document] === 0) {
      this.touched[this.touchedCount] = document;
      this.touchedCount += 1;
    }
    this.counts[document] = (this.counts[document] as number) + count;
  }

  clear(): void {
    for (let at = 0; at < this.touchedCount; at += 1) this.counts[this.touched[at] as number] = 0;
    this.touchedCount = 0;
  }
}

/** Scores of the body over chunks, and over files as one document each. */
export interface BodyScores {
  readonly chunks: FieldScores;
  readonly files: FieldScores;
}

/** Scores all chunks and all files of a corpus by their text. */
export function scoreBody(query: RankQuery, facts: CorpusFacts): BodyScores {
  const { corpus, fileOfChunk } = facts;
  const chunkCount = corpus.chunkCount;
  const fileCount = corpus.fileCount;
  const chunks = emptyScores(chunkCount);
  const files = emptyScores(fileCount);
  const lengths = corpus.lengthsOf("body");
  const lengthMean = facts.lengthMeanOf("body");
  const chunkTally = new Tally(chunkCount);
  const fileTally = new Tally(fileCount);
  const gather = (term: string): void => {
    const { documents, frequencies } = corpus.postingsOf("body", term);
    for (let at = 0; at < documents.length; at += 1) {
      const chunk = documents[at] as number;
      chunkTally.add(chunk, frequencies[at] as number);
      fileTally.add(fileOfChunk[chunk] as number, frequencies[at] as number);
    }
  };
  const spend: Spend<{ readonly chunk: number; readonly file: number }> = (
    importance,
    kind,
    bit,
  ) => {
    const chunkWeight = importance * rarityOf(chunkCount, chunkTally.touchedCount);
    for (let at = 0; at < chunkTally.touchedCount; at += 1) {
      const chunk = chunkTally.touched[at] as number;
      const ratio = (lengths[chunk] as number) / lengthMean;
      if (kind === "merged") chunks.scored.add(chunk, chunks.merged);
      addTo(chunks[kind], chunk, chunkWeight * saturate(chunkTally.counts[chunk] as number, ratio));
      if (kind === "merged") chunks.held[chunk] = (chunks.held[chunk] as number) | bit;
    }
    const fileWeight = importance * rarityOf(fileCount, fileTally.touchedCount);
    for (let at = 0; at < fileTally.touchedCount; at += 1) {
      const file = fileTally.touched[at] as number;
      const ratio = facts.lengthRatioOfFile(file);
      if (kind === "merged") files.scored.add(file, files.merged);
      addTo(files[kind], file, fileWeight * saturate(fileTally.counts[file] as number, ratio));
      if (kind === "merged") files.held[file] = (files.held[file] as number) | bit;
    }
    chunkTally.clear();
    fileTally.clear();
    return { chunk: chunkWeight, file: fileWeight };
  };
  for (const weight of spendTerms(query, gather, spend)) {
    chunks.groupWeights.push(weight.chunk);
    files.groupWeights.push(weight.file);
  }
  return { chunks, files };
}

/** Scores all files by a field whose documents are files. */
export function scoreFileField(
  query: RankQuery,
  facts: CorpusFacts,
  field: "names" | "comments",
): FieldScores {
  const { corpus } = facts;
  const fileCount = corpus.fileCount;
  const scores = emptyScores(fileCount);
  const lengths = corpus.lengthsOf(field);
  const lengthMean = facts.lengthMeanOf(field);
  const tally = new Tally(fileCount);
  const gather = (term: string): void => {
    const { documents, frequencies } = corpus.postingsOf(field, term);
    for (let at = 0; at < documents.length; at += 1)
      tally.add(documents[at] as number, frequencies[at] as number);
  };
  const spend: Spend<number> = (importance, kind, bit) => {
    const weight = importance * rarityOf(fileCount, tally.touchedCount);
    for (let at = 0; at < tally.touchedCount; at += 1) {
      const file = tally.touched[at] as number;
      const ratio = (lengths[file] as number) / lengthMean;
      if (kind === "merged") scores.scored.add(file, scores.merged);
      addTo(scores[kind], file, weight * saturate(tally.counts[file] as number, ratio));
      if (kind === "merged") scores.held[file] = (scores.held[file] as number) | bit;
    }
    tally.clear();
    return weight;
  };
  scores.groupWeights.push(...spendTerms(query, gather, spend));
  return scores;
}

/** Adds what was gathered to the scores of a kind, and forgets it; says how much it weighed. */
type Spend<Weight> = (importance: number, kind: "plain" | "merged", bit: number) => Weight;

/**
 * Goes through a query: each group once with all its forms as one term and once with only its word, then the compound
 * words.
 *
 * @returns What each group weighed with all its forms.
 */
export function spendTerms<Weight>(
  query: Pick<RankQuery, "groups" | "compounds">,
  gather: (term: string) => void,
  spend: Spend<Weight>,
): Weight[] {
  const weights = query.groups.map((group, index) => {
    for (const form of group.forms) gather(form);
    const weight = spend(group.importance, "merged", 1 << index);
    gather(group.word);
    spend(group.importance, "plain", 0);
    return weight;
  });
  for (const compound of query.compounds) {
    gather(compound);
    spend(1, "plain", 0);
    gather(compound);
    spend(0.7, "merged", 0);
  }
  return weights;
}

function addTo(scores: Float64Array, document: number, score: number): void {
  scores[document] = (scores[document] as number) + score;
}

interface GrowingScores extends FieldScores {
  readonly groupWeights: number[];
}

function emptyScores(documentCount: number): GrowingScores {
  return {
    plain: new Float64Array(documentCount),
    merged: new Float64Array(documentCount),
    held: new Uint32Array(documentCount),
    scored: new ScoredDocuments(documentCount),
    groupWeights: [],
  };
}
