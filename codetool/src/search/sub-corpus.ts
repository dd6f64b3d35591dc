import type { Chunk } from "../index/index.ts";
import { lowerBound } from "../store/index.ts";
import type { CorpusField, CorpusFile, CorpusSymbol, CorpusView } from "./corpus-view.ts";

type OwnSymbol = ReturnType<CorpusView["symbolsOf"]>[number];

/** Some files of a corpus as a corpus of their own: all that is counted is counted over them. */
export class SubCorpus implements CorpusView {
  readonly files: readonly CorpusFile[];
  readonly chunkCount: number;
  readonly #corpus: CorpusView;
  readonly #numbers: readonly number[];

  /** @param numbers Of the files in the corpus, ascending. */
  constructor(corpus: CorpusView, numbers: readonly number[]) {
    this.#corpus = corpus;
    this.#numbers = numbers;
    let chunk = 0;
    this.files = numbers.map((number) => {
      const file = corpus.files[number] as CorpusFile;
      const firstChunk = chunk;
      chunk += file.chunkEnd - file.firstChunk;
      return { ...file, firstChunk, chunkEnd: chunk };
    });
    this.chunkCount = chunk;
  }

  /** Numbers of the documents of a file in the corpus, and the number of the first of them here. */
  #rangeOf(field: CorpusField, file: number): { start: number; end: number; own: number } {
    const number = this.#numbers[file] as number;
    if (field !== "body") return { start: number, end: number + 1, own: file };
    const { firstChunk, chunkEnd } = this.#corpus.files[number] as CorpusFile;
    return { start: firstChunk, end: chunkEnd, own: (this.files[file] as CorpusFile).firstChunk };
  }

  postingsOf(field: CorpusField, term: string): ReturnType<CorpusView["postingsOf"]> {
    const { documents, frequencies } = this.#corpus.postingsOf(field, term);
    const found: number[] = [];
    const counts: number[] = [];
    for (let file = 0; file < this.files.length; file += 1) {
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
    const all = this.#corpus.lengthsOf(field);
    const lengths = new Uint32Array(field === "body" ? this.chunkCount : this.files.length);
    for (let file = 0; file < this.files.length; file += 1) {
      const { start, end, own } = this.#rangeOf(field, file);
      lengths.set(all.subarray(start, end), own);
    }
    return lengths;
  }

  chunksOf(file: number): readonly Chunk[] {
    return this.#corpus.chunksOf(this.#numbers[file] as number);
  }

  symbolsOf(file: number): readonly OwnSymbol[] {
    return this.#corpus
      .symbolsOf(this.#numbers[file] as number)
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
