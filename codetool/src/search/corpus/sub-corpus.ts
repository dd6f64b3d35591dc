import type { Chunk } from "../../index/index.ts";
import { lowerBound } from "../../store/index.ts";
import type { CorpusField, CorpusFile, CorpusSymbol, CorpusView } from "../../store/index.ts";

type OwnSymbol = ReturnType<CorpusView["symbolsOf"]>[number];

/** Some files of a corpus as their own corpus: all that is counted is counted over them. */
export class SubCorpus implements CorpusView {
  readonly fileCount: number;
  readonly chunkCount: number;
  readonly chunkStarts: Uint32Array;
  readonly #corpus: CorpusView;
  readonly #numbers: readonly number[];
  /** Asked for often: a ranking reads the lengths once for each file, and each term for its word and as a form of it. */
  readonly #lengths = new Map<CorpusField, Uint32Array>();
  readonly #postings = new Map<string, ReturnType<CorpusView["postingsOf"]>>();

  /** @param numbers Of the files in the corpus, ascending. */
  constructor(corpus: CorpusView, numbers: readonly number[]) {
    this.#corpus = corpus;
    this.#numbers = numbers;
    this.fileCount = numbers.length;
    this.chunkStarts = new Uint32Array(numbers.length + 1);
    for (const [file, number] of numbers.entries()) {
      const count =
        (corpus.chunkStarts[number + 1] as number) - (corpus.chunkStarts[number] as number);
      this.chunkStarts[file + 1] = (this.chunkStarts[file] as number) + count;
    }
    this.chunkCount = this.chunkStarts[numbers.length] as number;
  }

  file(number: number): CorpusFile {
    const firstChunk = this.chunkStarts[number] as number;
    const chunkEnd = this.chunkStarts[number + 1] as number;
    return { ...this.#corpus.file(this.#numbers[number] as number), firstChunk, chunkEnd };
  }

  /** Numbers of the documents of a file in the corpus, and the number of the first of them here. */
  #rangeOf(field: CorpusField, file: number): { start: number; end: number; own: number } {
    const number = this.#numbers[file] as number;
    if (field !== "body") return { start: number, end: number + 1, own: file };
    const { chunkStarts } = this.#corpus;
    return {
      start: chunkStarts[number] as number,
      end: chunkStarts[number + 1] as number,
      own: this.chunkStarts[file] as number,
    };
  }

  postingsOf(field: CorpusField, term: string): ReturnType<CorpusView["postingsOf"]> {
    const key = `${field} ${term}`;
    const known = this.#postings.get(key);
    if (known !== undefined) return known;
    const postings = this.#selectPostings(field, term);
    this.#postings.set(key, postings);
    return postings;
  }

  #selectPostings(field: CorpusField, term: string): ReturnType<CorpusView["postingsOf"]> {
    const { documents, frequencies } = this.#corpus.postingsOf(field, term);
    if (documents.length === 0) return { documents, frequencies };
    const found: number[] = [];
    const counts: number[] = [];
    for (let file = 0; file < this.fileCount; file += 1) {
      const { start, end, own } = this.#rangeOf(field, file);
      for (let at = lowerBound(documents, start); at < documents.length; at += 1) {
        const document = documents[at] as number;
        if (document >= end) break;
        found.push(own + document - start);
        counts.push(frequencies[at] as number);
      }
    }
    return { documents: Uint32Array.from(found), frequencies: Uint16Array.from(counts) };
  }

  lengthsOf(field: CorpusField): Uint32Array {
    const known = this.#lengths.get(field);
    if (known !== undefined) return known;
    const all = this.#corpus.lengthsOf(field);
    const lengths = new Uint32Array(field === "body" ? this.chunkCount : this.fileCount);
    for (let file = 0; file < this.fileCount; file += 1) {
      const { start, end, own } = this.#rangeOf(field, file);
      lengths.set(all.subarray(start, end), own);
    }
    this.#lengths.set(field, lengths);
    return lengths;
  }

  chunksOf(file: number): readonly Chunk[] {
    return this.#corpus.chunksOf(this.#numbers[file] as number);
  }

  symbolCountOf(file: number): number {
    return this.#corpus.symbolCountOf(this.#numbers[file] as number);
  }

  symbolsOf(file: number): readonly OwnSymbol[] {
    return this.#corpus
      .symbolsOf(this.#numbers[file] as number)
      .map((symbol) => ({ ...symbol, file }));
  }

  symbolsHolding(file: number, pattern: RegExp): readonly OwnSymbol[] {
    return this.#corpus
      .symbolsHolding(this.#numbers[file] as number, pattern)
      .map((symbol) => ({ ...symbol, file }));
  }

  symbolsNamed(name: string): readonly CorpusSymbol[] {
    const byNumber = new Map(this.#numbers.map((number, file) => [number, file]));
    return this.#corpus.symbolsNamed(name).flatMap((symbol) => {
      const file = byNumber.get(symbol.file);
      return file === undefined ? [] : [{ ...symbol, file }];
    });
  }
}
