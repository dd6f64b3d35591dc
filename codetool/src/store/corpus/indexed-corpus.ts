import type { Chunk } from "../../index/index.ts";
import type { ImportGraph, ImportingFile } from "../../imports/index.ts";
import { compareBytes } from "../../text/index.ts";
import { lowerBound } from "../sections/index.ts";
import {
  type FieldName,
  type FieldPostings,
  type FilesInOrder,
  filesInOrder,
  readChunks,
  type Segment,
  type ShownDefinition,
  type StoredSymbol,
} from "../segment/index.ts";
import type { CorpusFile, CorpusView } from "./corpus-view.ts";
import { filesThatMayHold, type TextGroup } from "./files-that-may-hold.ts";

/** A file of an index. */
export interface IndexedCorpusFile extends CorpusFile {
  readonly modifiedMs: number;
}

/** How many terms have their places cached. */
const keptTermsMax = 4096;
/** How many places are cached, six bytes each. */
const keptPostingsMax = 2_000_000;

/** Maps a segment's numbers to those of the corpus: -1 for what was taken back; absent if both are the same. */
interface SegmentNumbers {
  readonly segment: Segment;
  readonly files: Int32Array | undefined;
  readonly chunks: Int32Array | undefined;
}

function numberAt(numbers: Int32Array | undefined, own: number): number {
  return numbers === undefined ? own : (numbers[own] as number);
}

/**
 * Segments seen as one: the files that are still there, numbered in the byte order of their paths, and their chunks in the order
 * of files and places. All numbers and counts are the same for an index that was updated and one that was
 * built again.
 */
export class IndexedCorpus implements CorpusView {
  readonly fileCount: number;
  readonly chunkCount: number;
  /** Number of the first chunk of each file, and of all chunks at the end. */
  readonly chunkStarts: Uint32Array;
  /** The one segment, where all of its files are: its numbers are those of the corpus. */
  readonly #only: Segment | undefined;
  /** Else where each file lies. */
  readonly #order: FilesInOrder;
  readonly #segments: readonly Segment[];
  readonly #numbers: readonly SegmentNumbers[];
  readonly #graphOf: (corpus: IndexedCorpus) => ImportGraph;
  #graph: ImportGraph | undefined;
  #files: readonly IndexedCorpusFile[] | undefined;
  readonly #lengths = new Map<FieldName, Uint32Array>();
  readonly #postings = new Map<string, FieldPostings>();
  #postingsCount = 0;

  /**
   * @param segments The base first; files that a later segment took back are marked.
   * @param graphOf Makes the import graph of the files; called once, when it is needed.
   */
  constructor(segments: readonly Segment[], graphOf: (corpus: IndexedCorpus) => ImportGraph) {
    this.#graphOf = graphOf;
    this.#segments = segments;
    // A run that finds nothing but other times of files adds a segment without files.
    const [only, ...others] = segments.filter(({ files }) => files.fileCount > 0);
    if (others.length === 0 && only?.isRemoved.includes(1) === false) {
      const { chunkEnds, fileCount } = only.files;
      this.#only = only;
      this.#order = { segmentNumbers: new Uint32Array(0), ownNumbers: new Uint32Array(0) };
      this.#numbers = [{ segment: only, files: undefined, chunks: undefined }];
      this.fileCount = fileCount;
      this.chunkStarts = new Uint32Array(fileCount + 1);
      this.chunkStarts.set(chunkEnds, 1);
    } else {
      this.#only = undefined;
      this.#order = filesInOrder(segments);
      this.fileCount = this.#order.ownNumbers.length;
      this.chunkStarts = new Uint32Array(this.fileCount + 1);
      this.#numbers = this.#numberAll();
    }
    this.chunkCount = this.chunkStarts[this.fileCount] as number;
  }

  /** Numbers files and chunks in their order, and says where the chunks of each file begin. */
  #numberAll(): readonly SegmentNumbers[] {
    const numbers = this.#segments.map((segment) => ({
      segment,
      files: new Int32Array(segment.files.fileCount).fill(-1),
      chunks: new Int32Array(segment.files.chunkEnds.at(-1) ?? 0).fill(-1),
    }));
    const { segmentNumbers, ownNumbers } = this.#order;
    let chunk = 0;
    for (let number = 0; number < this.fileCount; number += 1) {
      const { segment, files, chunks } = numbers[
        segmentNumbers[number] as number
      ] as (typeof numbers)[number];
      const file = ownNumbers[number] as number;
      files[file] = number;
      const end = segment.files.chunkEnds[file] as number;
      for (let at = firstChunkOf(segment, file); at < end; at += 1) {
        chunks[at] = chunk;
        chunk += 1;
      }
      this.chunkStarts[number + 1] = chunk;
    }
    return numbers;
  }

  /** All files; of a few it costs less to ask for each. */
  get files(): readonly IndexedCorpusFile[] {
    this.#files ??= Array.from({ length: this.fileCount }, (_, number) => this.file(number));
    return this.#files;
  }

  /** One file. */
  file(number: number): IndexedCorpusFile {
    const { segment, file } = this.#placeOf(number);
    const table = segment.files;
    return {
      path: table.pathOf(file),
      sizeBytes: table.sizes[file] as number,
      modifiedMs: table.modified[file] as number,
      language: table.languageOf(file),
      isText: table.isText(file),
      lineCount: table.lineCounts[file] as number,
      firstChunk: this.chunkStarts[number] as number,
      chunkEnd: this.chunkStarts[number + 1] as number,
    };
  }

  /** The path of a file, relative to the root of the index, forward slashes. */
  pathOf(number: number): string {
    const { segment, file } = this.#placeOf(number);
    return segment.files.pathOf(file);
  }

  /** Size of a file, bytes. */
  sizeBytesOf(number: number): number {
    const { segment, file } = this.#placeOf(number);
    return segment.files.sizes[file] as number;
  }

  /** Whether a file is a text. */
  isTextAt(number: number): boolean {
    const { segment, file } = this.#placeOf(number);
    return segment.files.isText(file);
  }

  #placeOf(number: number): { readonly segment: Segment; readonly file: number } {
    if (this.#only !== undefined) return { segment: this.#only, file: number };
    const { segmentNumbers, ownNumbers } = this.#order;
    return {
      segment: this.#segments[segmentNumbers[number] as number] as Segment,
      file: ownNumbers[number] as number,
    };
  }

  /** The paths of some files, a NUL behind each, and their sizes and then their times. */
  identityOf(start: number, end: number): readonly [Uint8Array, Float64Array] {
    const count = end - start;
    const numbers = new Float64Array(2 * count);
    if (this.#only !== undefined) {
      const { pathBytes, pathEnds, sizes, modified } = this.#only.files;
      numbers.set(sizes.subarray(start, end));
      numbers.set(modified.subarray(start, end), count);
      const first = start === 0 ? 0 : (pathEnds[start - 1] as number);
      return [pathBytes.subarray(first, end === 0 ? 0 : pathEnds[end - 1]), numbers];
    }
    const paths: Uint8Array[] = [];
    for (let number = start; number < end; number += 1) {
      const { segment, file } = this.#placeOf(number);
      const { pathBytes, pathEnds, sizes, modified } = segment.files;
      paths.push(pathBytes.subarray(file === 0 ? 0 : pathEnds[file - 1], pathEnds[file]));
      numbers[number - start] = sizes[file] as number;
      numbers[count + number - start] = modified[file] as number;
    }
    return [Buffer.concat(paths), numbers];
  }

  /** Where each path of all files ends in `identityOf`; `undefined` where they do not lie together. */
  get pathEnds(): Uint32Array | undefined {
    return this.#only?.files.pathEnds;
  }

  /** XXH3-128 of the files of a range, 16 bytes each; the end is not included. */
  hashesBetween(start: number, end: number): Uint8Array {
    if (this.#only !== undefined) return this.#only.files.hashes.subarray(16 * start, 16 * end);
    return this.hashesOf(Array.from({ length: end - start }, (_, index) => start + index));
  }

  /** XXH3-128 of some files, 16 bytes each, in the order of their numbers. */
  hashesOf(files: readonly number[]): Uint8Array {
    const hashes = new Uint8Array(16 * files.length);
    for (const [place, number] of files.entries()) {
      const { segment, file } = this.#placeOf(number);
      hashes.set(segment.files.hashes.subarray(16 * file, 16 * file + 16), 16 * place);
    }
    return hashes;
  }

  /** XXH3-128 of a file, 32 hexadecimal digits. */
  hashOf(file: number): string {
    const { segment, file: own } = this.#placeOf(file);
    const bytes = segment.files.hashes.subarray(16 * own, 16 * own + 16);
    return Buffer.from(bytes).toString("hex");
  }

  /** Runs something with files marked as gone in their segments: a corpus that it makes from these lacks them. */
  without<Result>(files: readonly number[], run: () => Result): Result {
    const mark = (value: number): void => {
      for (const file of files) {
        const { segment, file: own } = this.#placeOf(file);
        segment.isRemoved[own] = value;
      }
    };
    mark(1);
    try {
      return run();
    } finally {
      mark(0);
    }
  }

  /** How many documents a field has: chunks for the body, files for the others. */
  documentCount(field: FieldName): number {
    return field === "body" ? this.chunkCount : this.fileCount;
  }

  /** Where a term occurs, given lower-cased; documents ascending. */
  postingsOf(field: FieldName, term: string): FieldPostings {
    const key = `${field} ${term}`;
    const known = this.#postings.get(key);
    if (known !== undefined) return known;
    const postings = this.#readPostings(field, term);
    this.#postingsCount += postings.documents.length;
    if (this.#postings.size >= keptTermsMax || this.#postingsCount > keptPostingsMax) {
      this.#postings.clear();
      this.#postingsCount = postings.documents.length;
    }
    this.#postings.set(key, postings);
    return postings;
  }

  #readPostings(field: FieldName, term: string): FieldPostings {
    if (this.#only !== undefined) return this.#only.field(field).postingsOf(term);
    const found = this.#numbers
      .map(({ segment, files, chunks }) => {
        const numbers = field === "body" ? chunks : files;
        return keepStanding(segment.field(field).postingsOf(term), numbers);
      })
      .filter(({ documents }) => documents.length > 0);
    const [first] = found;
    if (first === undefined)
      return { documents: new Uint32Array(0), frequencies: new Uint16Array(0) };
    // Within a segment files lie in the order of their paths, and so do their numbers here.
    return found.length === 1 ? first : mergePostings(found);
  }

  /**
   * The words of the texts that are wanted, and parts of compound ones, lower-cased; also such as are gone with their files.
   *
   * @param isWanted Called with the bytes of many words, and where each begins and ends.
   */
  wordsWhere(isWanted: (bytes: Buffer, start: number, end: number) => boolean): string[] {
    const words = this.#numbers.flatMap(({ segment }) =>
      segment.field("body").termsWhere(isWanted),
    );
    return [...new Set(words)];
  }

  /** The files that hold a word, given lower-cased, or have it as a part of one; ascending. */
  filesWithWord(word: string): number[] {
    const files: number[] = [];
    for (const chunk of this.postingsOf("body", word).documents) {
      const file = lowerBound(this.chunkStarts, chunk + 1) - 1;
      if (file !== files.at(-1)) files.push(file);
    }
    return files;
  }

  /** Number of terms of each document of a field. */
  lengthsOf(field: FieldName): Uint32Array {
    if (this.#only !== undefined) return this.#only.field(field).lengths;
    const known = this.#lengths.get(field);
    if (known !== undefined) return known;
    const lengths = new Uint32Array(this.documentCount(field));
    for (const { segment, files, chunks } of this.#numbers) {
      const numbers = field === "body" ? chunks : files;
      const own = segment.field(field).lengths;
      for (let at = 0; at < own.length; at += 1)
        if (numberAt(numbers, at) >= 0) lengths[numberAt(numbers, at)] = own[at] as number;
    }
    this.#lengths.set(field, lengths);
    return lengths;
  }

  /**
   * How near the chunks are to a query, about the cosine of their vectors.
   *
   * @param query Its vector, of length one.
   * @returns A score for each chunk.
   */
  async nearness(query: Float32Array): Promise<Float32Array> {
    const scores = new Float32Array(this.chunkCount);
    for (const { segment, chunks } of this.#numbers) {
      const vectors = await segment.vectors();
      vectors.score(query, scores, chunks);
    }
    return scores;
  }

  /** Which files import which. */
  get importGraph(): ImportGraph {
    this.#graph ??= this.#graphOf(this);
    return this.#graph;
  }

  /** The files with what they import and define, in their order. */
  importingFiles(): ImportingFile[] {
    return Array.from({ length: this.fileCount }, (_, number) => {
      const { segment, file } = this.#placeOf(number);
      return segment.importingFiles[file] as ImportingFile;
    });
  }

  /** One file with what it imports and defines. */
  importingFileOf(number: number): ImportingFile | undefined {
    const { segment, file } = this.#placeOf(number);
    return segment.importingFiles[file];
  }

  /** Says of each file whether it may hold all texts of one of some groups: 1, or 0 where it surely does not. */
  filesThatMayHold(groups: readonly TextGroup[]): Uint8Array {
    if (this.#only !== undefined) return filesThatMayHold(this.#only, groups);
    const held = new Uint8Array(this.fileCount);
    for (const { segment, files } of this.#numbers) {
      const own = filesThatMayHold(segment, groups);
      for (let at = 0; at < own.length; at += 1) {
        const file = numberAt(files, at);
        if (file >= 0) held[file] = own[at] as number;
      }
    }
    return held;
  }

  /** The chunks of a file. */
  chunksOf(file: number): Chunk[] {
    const { segment, file: own } = this.#placeOf(file);
    const end = segment.files.chunkEnds[own] as number;
    return readChunks(segment.file("chunks"), { start: firstChunkOf(segment, own), end });
  }

  /** How many definitions are in a file. */
  symbolCountOf(file: number): number {
    const { segment, file: own } = this.#placeOf(file);
    const { fileEnds } = segment.symbols;
    return (fileEnds[own] as number) - (own === 0 ? 0 : (fileEnds[own - 1] as number));
  }

  /** The definitions in a file, outer ones before those inside; `parent` counts within the file. */
  symbolsOf(file: number): StoredSymbol[] {
    const { segment, file: own } = this.#placeOf(file);
    return segment.symbols.inFile(own, file);
  }

  /** Of these the definitions whose names hold a match of a pattern with the flag `g`. */
  symbolsHolding(file: number, pattern: RegExp): StoredSymbol[] {
    const { segment, file: own } = this.#placeOf(file);
    return segment.symbols.inFileHolding(own, pattern, file);
  }

  /** The definitions around a line of a file, outermost first: that which begins last before it, and those it is in. */
  symbolsAround(file: number, line1: number): ShownDefinition[] {
    const { segment, file: own } = this.#placeOf(file);
    return segment.symbols.aroundLine(own, line1);
  }

  /** The declarations of the definitions in a file, in the order of `symbolsOf`. */
  signaturesOf(file: number): string[] {
    const { segment, file: own } = this.#placeOf(file);
    return segment.symbols.signaturesIn(own);
  }

  /** The types that the definitions in a file belong to where these are elsewhere, in the order of `symbolsOf`. */
  containersOf(file: number): string[] {
    const { segment, file: own } = this.#placeOf(file);
    return segment.symbols.containersIn(own);
  }

  /** Where the definitions in a file begin, their bodies begin and they end, in the order of `symbolsOf`. */
  symbolBytesOf(file: number): Uint32Array {
    const { segment, file: own } = this.#placeOf(file);
    return segment.symbols.bytesIn(own);
  }

  /** The first file whose path does not come before a text, in the order of bytes. */
  firstFrom(text: string): number {
    let low = 0;
    let high = this.fileCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(this.pathOf(middle), text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The number of the file with a path; `undefined` when there is none. */
  numberOf(path: string): number | undefined {
    const first = this.firstFrom(path);
    return first < this.fileCount && this.pathOf(first) === path ? first : undefined;
  }

  /** How many files define a name, whatever the case of its ASCII letters: about, and the same for the same files. */
  definerCountOf(name: string): number {
    const definers = new Set<number>();
    for (const { segment, files } of this.#numbers)
      for (const file of segment.symbols.filesDefining(name)) {
        const number = numberAt(files, file);
        if (number >= 0) definers.add(number);
      }
    return definers.size;
  }

  /** Definitions of a name, whatever the case of its ASCII letters, in the order of files and lines. */
  symbolsNamed(name: string): Omit<StoredSymbol, "parent">[] {
    return this.#numbers
      .flatMap(({ segment, files }) =>
        segment.symbols
          .named(name)
          .map((symbol) => ({ ...symbol, file: numberAt(files, symbol.file) })),
      )
      .filter(({ file }) => file >= 0)
      .sort((a, b) => a.file - b.file || a.startLine1 - b.startLine1);
  }
}

function firstChunkOf(segment: Segment, file: number): number {
  return file === 0 ? 0 : (segment.files.chunkEnds[file - 1] as number);
}

function keepStanding(postings: FieldPostings, numbers: Int32Array | undefined): FieldPostings {
  if (numbers === undefined || postings.documents.length === 0) return postings;
  const documents = new Uint32Array(postings.documents.length);
  const frequencies = new Uint16Array(postings.documents.length);
  let count = 0;
  for (let at = 0; at < documents.length; at += 1) {
    const number = numbers[postings.documents[at] as number] as number;
    if (number < 0) continue;
    documents[count] = number;
    frequencies[count] = postings.frequencies[at] as number;
    count += 1;
  }
  return { documents: documents.subarray(0, count), frequencies: frequencies.subarray(0, count) };
}

function mergePostings(parts: readonly FieldPostings[]): FieldPostings {
  const all = parts.flatMap(({ documents, frequencies }) =>
    Array.from(documents, (document, at) => [document, frequencies[at] as number] as const),
  );
  all.sort(([a], [b]) => a - b);
  return {
    documents: Uint32Array.from(all, ([document]) => document),
    frequencies: Uint16Array.from(all, ([, frequency]) => frequency),
  };
}
