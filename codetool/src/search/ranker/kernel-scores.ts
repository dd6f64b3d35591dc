import type { CorpusField, CorpusView } from "../../store/index.ts";
import { rarityOf, spendTerms } from "./field-scores.ts";
import type { CorpusFacts, DocumentScores } from "./field-scores.ts";
import type { RankQuery } from "./query.ts";
import { KernelRoom, type ScoreKernel, scoreKernel } from "./score-kernel.ts";
import type { ScoredFiles } from "./scored-files.ts";

/** A smaller corpus is scored in the time that it takes to load the kernel. */
const chunkCountMin = 4000;

const spaceBytes = 48;
/** Of a document in a space: two scores of eight bytes, and five numbers of four. */
const documentBytes = 36;

/**
 * Scores the files of a corpus in WebAssembly.
 *
 * @returns `undefined` where that is not there, does not pay, or has too little memory.
 */
export function scoreByKernel(query: RankQuery, facts: CorpusFacts): ScoredFiles | undefined {
  const { chunkCount, fileCount } = facts.corpus;
  if (chunkCount < chunkCountMin) return undefined;
  const kernel = scoreKernel();
  if (kernel === null) return undefined;
  const ofChunks = (documentBytes + 4) * chunkCount;
  const ofFiles = (3 * documentBytes + 40) * fileCount;
  const ofPostings = 6 * Math.max(chunkCount, fileCount);
  const room = KernelRoom.of(kernel.memory, ofChunks + ofFiles + ofPostings + 1024);
  return room && new KernelScores({ kernel, room }, query, facts).score();
}

/** What of a corpus is scored. */
interface ScoredCorpus {
  readonly corpus: Pick<
    CorpusView,
    "chunkCount" | "fileCount" | "chunkStarts" | "lengthsOf" | "postingsOf"
  >;
  readonly noteLengthMean: (field: CorpusField, mean: number) => void;
}

/** Documents and their scores in the memory of the kernel. */
class Space {
  readonly at: number;
  readonly #count: number;
  readonly #plain: number;
  readonly #merged: number;
  readonly #held: number;
  readonly #scored: number;
  readonly lengths: number;
  readonly #kernel: ScoreKernel;

  constructor(kernel: ScoreKernel, room: KernelRoom, count: number) {
    this.#kernel = kernel;
    this.#count = count;
    this.at = room.takeZeros(spaceBytes);
    this.#plain = room.takeZeros(8 * count);
    this.#merged = room.takeZeros(8 * count);
    this.#held = room.takeZeros(4 * count);
    const counts = room.takeZeros(4 * count);
    const touched = room.take(4 * count);
    this.#scored = room.take(4 * count);
    this.lengths = room.take(4 * count);
    const space = new Uint32Array(kernel.memory.buffer, this.at, spaceBytes / 4);
    space.set([counts, touched, 0, this.#plain, this.#merged, this.#held, this.#scored, 0]);
    space[8] = this.lengths;
  }

  setMean(mean: number): void {
    new Float64Array(this.#kernel.memory.buffer, this.at + 40, 1)[0] = mean;
  }

  /** Where the documents with a score are, how many, and where their scores are. */
  scored(): { readonly numbers: number; readonly count: number; readonly values: number } {
    const count = new Uint32Array(this.#kernel.memory.buffer, this.at + 28, 1)[0] as number;
    return { numbers: this.#scored, count, values: this.#merged };
  }

  /** The scores, valid until the next choice. */
  scores(): DocumentScores {
    const { buffer } = this.#kernel.memory;
    return {
      plain: new Float64Array(buffer, this.#plain, this.#count),
      merged: new Float64Array(buffer, this.#merged, this.#count),
      held: new Uint32Array(buffer, this.#held, this.#count),
    };
  }
}

/** Where arrays of files and the postings of a term lie. */
interface Places {
  readonly fileOf: number;
  readonly starts: number;
  readonly best: number;
  readonly bestChunk: number;
  readonly score: number;
  readonly found: number;
  readonly keys: number;
  readonly chosen: number;
  readonly measured: number;
  readonly documents: number;
  readonly frequencies: number;
}

class KernelScores {
  readonly #kernel: ScoreKernel;
  readonly #query: Pick<RankQuery, "groups" | "compounds">;
  readonly #facts: ScoredCorpus;
  readonly #corpus: ScoredCorpus["corpus"];
  readonly #at: Places;
  readonly #chunks: Space;
  readonly #files: Space;
  readonly #names: Space;
  readonly #comments: Space;

  constructor(
    { kernel, room }: { readonly kernel: ScoreKernel; readonly room: KernelRoom },
    query: Pick<RankQuery, "groups" | "compounds">,
    facts: ScoredCorpus,
  ) {
    this.#kernel = kernel;
    this.#query = query;
    this.#facts = facts;
    this.#corpus = facts.corpus;
    const { chunkCount, fileCount } = facts.corpus;
    const most = Math.max(chunkCount, fileCount);
    const space = (count: number): Space => new Space(kernel, room, count);
    this.#chunks = space(chunkCount);
    this.#files = space(fileCount);
    this.#names = space(fileCount);
    this.#comments = space(fileCount);
    this.#at = {
      best: room.takeZeros(8 * fileCount),
      score: room.takeZeros(8 * fileCount),
      keys: room.take(8 * fileCount),
      measured: room.take(16),
      fileOf: room.take(4 * chunkCount),
      starts: room.take(4 * (fileCount + 1)),
      bestChunk: room.take(4 * fileCount),
      found: room.take(4 * fileCount),
      chosen: room.take(4 * fileCount),
      documents: room.take(4 * most),
      frequencies: room.take(2 * most),
    };
    room.close();
  }

  score(): ScoredFiles {
    const { fileCount } = this.#corpus;
    const { bestChunk, score } = this.#at;
    const groupWeights = this.#scoreBody();
    this.#scoreField("names", this.#names);
    this.#scoreField("comments", this.#comments);
    this.#words(bestChunk, fileCount).fill(0xff_ff_ff_ff);
    this.#kernel.best(this.#chunks.at, this.#at.fileOf, this.#at.best, bestChunk);
    const foundCount = this.#addParts();
    return {
      chunks: this.#chunks.scores(),
      files: this.#files.scores(),
      names: this.#names.scores(),
      comments: this.#comments.scores(),
      groupWeights,
      bestChunk: new Int32Array(this.#kernel.memory.buffer, bestChunk, fileCount),
      score: this.#floats(score, fileCount),
      found: (countMax, isIncluded) => this.#bestFound(foundCount, countMax, isIncluded),
    };
  }

  #words(at: number, count: number): Uint32Array {
    return new Uint32Array(this.#kernel.memory.buffer, at, count);
  }

  #floats(at: number, count: number): Float64Array {
    return new Float64Array(this.#kernel.memory.buffer, at, count);
  }

  /** Reads the lengths of a field; returns their sum and mean. */
  #measure(field: CorpusField, space: Space): { readonly sum: number; readonly mean: number } {
    const lengths = this.#corpus.lengthsOf(field);
    this.#words(space.lengths, lengths.length).set(lengths);
    this.#kernel.measure(space.lengths, lengths.length, this.#at.measured);
    const [sum = 0, count = 0] = this.#floats(this.#at.measured, 2);
    const mean = Math.max(1, sum / Math.max(1, count));
    this.#facts.noteLengthMean(field, mean);
    space.setMean(mean);
    return { sum, mean };
  }

  /** Copies the postings of a term; returns how many there are. */
  #read(field: CorpusField, term: string): number {
    const { documents, frequencies } = this.#corpus.postingsOf(field, term);
    const { length } = documents;
    if (length === 0) return 0;
    this.#words(this.#at.documents, length).set(documents);
    new Uint16Array(this.#kernel.memory.buffer, this.#at.frequencies, length).set(frequencies);
    return length;
  }

  #tally(space: Space, count: number, fileOf = 0): number {
    const { documents, frequencies } = this.#at;
    return this.#kernel.tally(space.at, documents, frequencies, count, fileOf);
  }

  /** Returns what each group weighs over the chunks. */
  #scoreBody(): readonly number[] {
    const { chunkCount, fileCount, chunkStarts } = this.#corpus;
    const { starts, fileOf } = this.#at;
    const { sum } = this.#measure("body", this.#chunks);
    this.#words(starts, fileCount + 1).set(chunkStarts);
    const lengths = [this.#chunks.lengths, this.#files.lengths] as const;
    const textCount = this.#kernel.spread(starts, fileCount, fileOf, ...lengths);
    this.#files.setMean(Math.max(1, sum / Math.max(1, textCount)));
    let [chunkTouched, fileTouched] = [0, 0];
    const gather = (term: string): void => {
      const count = this.#read("body", term);
      if (count === 0) return;
      chunkTouched = this.#tally(this.#chunks, count);
      fileTouched = this.#tally(this.#files, count, fileOf);
    };
    return spendTerms(this.#query, gather, (importance, kind, bit) => {
      const isMerged = kind === "merged" ? 1 : 0;
      const chunkWeight = importance * rarityOf(chunkCount, chunkTouched);
      this.#kernel.spend(this.#chunks.at, chunkWeight, isMerged, bit);
      const fileWeight = importance * rarityOf(fileCount, fileTouched);
      this.#kernel.spend(this.#files.at, fileWeight, isMerged, bit);
      [chunkTouched, fileTouched] = [0, 0];
      return chunkWeight;
    });
  }

  #scoreField(field: "names" | "comments", space: Space): void {
    const { fileCount } = this.#corpus;
    this.#measure(field, space);
    let touched = 0;
    const gather = (term: string): void => {
      const count = this.#read(field, term);
      if (count > 0) touched = this.#tally(space, count);
    };
    spendTerms(this.#query, gather, (importance, kind, bit) => {
      const weight = importance * rarityOf(fileCount, touched);
      this.#kernel.spend(space.at, weight, kind === "merged" ? 1 : 0, bit);
      touched = 0;
      return weight;
    });
  }

  /** Adds up what speaks for each file; returns how many files something does. */
  #addParts(): number {
    const { best, score, found } = this.#at;
    const body = this.#files.scored();
    const parts = [
      { ...body, values: best, weight: 1 },
      { ...body, weight: 0.5 },
      { ...this.#names.scored(), weight: 0.5 },
      { ...this.#comments.scored(), weight: 0.25 },
    ];
    let foundCount = 0;
    for (const { numbers, count, values, weight } of parts)
      foundCount += this.#kernel.part(
        numbers,
        count,
        values,
        weight,
        score,
        found + 4 * foundCount,
      );
    return foundCount;
  }

  /** Those that have not less than the last of `countMax`, in the order in which they were found. */
  #bestFound(
    foundCount: number,
    countMax: number,
    isIncluded: ((file: number) => boolean) | undefined,
  ): number[] {
    const { found, score, keys, chosen } = this.#at;
    let count = foundCount;
    if (isIncluded !== undefined) {
      const kept = this.#words(found, foundCount).filter((file) => isIncluded(file));
      this.#words(found, kept.length).set(kept);
      count = kept.length;
    }
    if (count <= countMax) return [...this.#words(found, count)];
    this.#kernel.pick(found, count, score, keys);
    // An array of only numbers is sorted without callbacks.
    const sorted = this.#floats(keys, count).sort();
    const least = sorted[count - countMax] as number;
    const aboveCount = this.#kernel.above(found, count, score, least, chosen);
    return [...this.#words(chosen, aboveCount)];
  }
}
