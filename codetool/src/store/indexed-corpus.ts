import type { Chunk } from "../index/index.ts";
import type { ImportGraph, ImportingFile } from "../imports/index.ts";
import { compareBytes } from "../text/index.ts";
import { readChunks } from "./chunk-columns.ts";
import type { FieldPostings } from "./field-reader.ts";
import { filesThatMayHold, type TextGroup } from "./holding.ts";
import type { FieldName, Segment } from "./segment.ts";
import type { StoredSymbol } from "./symbol-columns.ts";

/** A file of a corpus. */
export interface CorpusFile {
  /** Relative to the root of the index, forward slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly language: string | null;
  /** False for binary content. */
  readonly isText: boolean;
  readonly lineCount: number;
  /** Numbers of its chunks: from `firstChunk` to before `chunkEnd`. */
  readonly firstChunk: number;
  readonly chunkEnd: number;
}

/** Terms whose places are kept for the next time, at most. */
const keptTermsMax = 4096;
/** Places that are kept at most, six bytes each. */
const keptPostingsMax = 2_000_000;

interface Place {
  readonly segment: Segment;
  readonly file: number;
  /** Number of its first chunk within the segment. */
  readonly firstChunk: number;
}

/** What a segment's own numbers mean in the corpus; -1 for what was taken back. */
interface SegmentNumbers {
  readonly segment: Segment;
  readonly files: Int32Array;
  readonly chunks: Int32Array;
}

/**
 * Segments seen as one: the files that stand, numbered in the byte order of their paths, and their chunks in the order
 * of files and places. The numbers, and all that is counted here, are the same for an index that was brought up to date
 * and one that was built anew.
 */
export class IndexedCorpus {
  readonly files: readonly CorpusFile[];
  readonly chunkCount: number;
  readonly #places: readonly Place[];
  readonly #numbers: readonly SegmentNumbers[];
  readonly #graphOf: (corpus: IndexedCorpus) => ImportGraph;
  #graph: ImportGraph | undefined;
  readonly #lengths = new Map<FieldName, Uint32Array>();
  readonly #postings = new Map<string, FieldPostings>();
  #postingsCount = 0;

  /**
   * @param segments The base first; what they took back from each other is marked.
   * @param graphOf Knows which of its files import which; asked once, when it is needed.
   */
  constructor(segments: readonly Segment[], graphOf: (corpus: IndexedCorpus) => ImportGraph) {
    this.#graphOf = graphOf;
    const places = placesOf(segments);
    // Within a segment files lie in this order already.
    if (segments.length > 1) places.sort((a, b) => compareBytes(pathOf(a), pathOf(b)));
    this.#places = places;
    const numbers = new Map(
      segments.map((segment) => [
        segment,
        {
          segment,
          files: new Int32Array(segment.files.paths.length).fill(-1),
          chunks: new Int32Array(segment.files.chunkEnds.at(-1) ?? 0).fill(-1),
        },
      ]),
    );
    this.#numbers = [...numbers.values()];
    let chunk = 0;
    this.files = places.map((place, number) => {
      const { segment, file, firstChunk } = place;
      const table = segment.files;
      const own = numbers.get(segment) as SegmentNumbers;
      own.files[file] = number;
      const start = chunk;
      for (let at = firstChunk; at < (table.chunkEnds[file] as number); at += 1) {
        own.chunks[at] = chunk;
        chunk += 1;
      }
      return {
        path: table.paths[file] as string,
        sizeBytes: table.sizes[file] as number,
        modifiedMs: table.modified[file] as number,
        language: table.languageOf(file),
        isText: table.isText(file),
        lineCount: table.lineCounts[file] as number,
        firstChunk: start,
        chunkEnd: chunk,
      };
    });
    this.chunkCount = chunk;
  }

  /** XXH3-128 of a file, 32 hexadecimal digits. */
  hashOf(file: number): string {
    const { segment, file: own } = this.#places[file] as Place;
    const bytes = segment.files.hashes.subarray(16 * own, 16 * own + 16);
    return Buffer.from(bytes).toString("hex");
  }

  /** Runs something with files marked as gone in their segments: a corpus that it makes from these lacks them. */
  without<Result>(files: readonly number[], run: () => Result): Result {
    const mark = (value: number): void => {
      for (const file of files) {
        const { segment, file: own } = this.#places[file] as Place;
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
    return field === "body" ? this.chunkCount : this.files.length;
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

  /** Number of terms of each document of a field. */
  lengthsOf(field: FieldName): Uint32Array {
    const known = this.#lengths.get(field);
    if (known !== undefined) return known;
    const lengths = new Uint32Array(this.documentCount(field));
    for (const { segment, files, chunks } of this.#numbers) {
      const numbers = field === "body" ? chunks : files;
      const own = segment.field(field).lengths;
      for (let at = 0; at < own.length; at += 1)
        if ((numbers[at] as number) >= 0) lengths[numbers[at] as number] = own[at] as number;
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
  nearness(query: Float32Array): Float32Array {
    const scores = new Float32Array(this.chunkCount);
    for (const { segment, chunks } of this.#numbers) segment.vectors.score(query, scores, chunks);
    return scores;
  }

  /** Which files import which. */
  get importGraph(): ImportGraph {
    this.#graph ??= this.#graphOf(this);
    return this.#graph;
  }

  /** The files with what they import and define, in their order. */
  importingFiles(): ImportingFile[] {
    return this.#places.map(({ segment, file }) => segment.importingFiles[file] as ImportingFile);
  }

  /** Says of each file whether it may hold all texts of one of some groups: 1, or 0 where it surely does not. */
  filesThatMayHold(groups: readonly TextGroup[]): Uint8Array {
    const held = new Uint8Array(this.files.length);
    for (const { segment, files } of this.#numbers) {
      const own = filesThatMayHold(segment, groups);
      for (let at = 0; at < own.length; at += 1) {
        const file = files[at] as number;
        if (file >= 0) held[file] = own[at] as number;
      }
    }
    return held;
  }

  /** The chunks of a file. */
  chunksOf(file: number): Chunk[] {
    const { segment, file: own, firstChunk } = this.#places[file] as Place;
    const end = segment.files.chunkEnds[own] as number;
    return readChunks(segment.file("chunks"), { start: firstChunk, end });
  }

  /** The definitions in a file, outer ones before those inside; `parent` counts within the file. */
  symbolsOf(file: number): StoredSymbol[] {
    const { segment, file: own } = this.#places[file] as Place;
    const symbols = segment.symbols.inFile(own);
    const first = own === 0 ? 0 : (segment.symbols.fileEnds[own - 1] as number);
    return symbols.map((symbol) => ({
      ...symbol,
      file,
      parent: symbol.parent === null ? null : symbol.parent - first,
    }));
  }

  /** The declarations of the definitions in a file, in the order of `symbolsOf`. */
  signaturesOf(file: number): string[] {
    const { segment, file: own } = this.#places[file] as Place;
    return segment.symbols.signaturesIn(own);
  }

  /** The types that the definitions in a file belong to where these stand elsewhere, in the order of `symbolsOf`. */
  containersOf(file: number): string[] {
    const { segment, file: own } = this.#places[file] as Place;
    return segment.symbols.containersIn(own);
  }

  /** Where the definitions in a file begin, their bodies begin and they end, in the order of `symbolsOf`. */
  symbolBytesOf(file: number): Uint32Array {
    const { segment, file: own } = this.#places[file] as Place;
    return segment.symbols.bytesIn(own);
  }

  /** The first file whose path does not come before a text, in the order of bytes. */
  firstFrom(text: string): number {
    let low = 0;
    let high = this.files.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes((this.files[middle] as CorpusFile).path, text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The number of the file with a path; `undefined` when there is none. */
  numberOf(path: string): number | undefined {
    const first = this.firstFrom(path);
    return this.files[first]?.path === path ? first : undefined;
  }

  /** Definitions of a name, whatever the case of its ASCII letters, in the order of files and lines. */
  symbolsNamed(name: string): Omit<StoredSymbol, "parent">[] {
    return this.#numbers
      .flatMap(({ segment, files }) =>
        segment.symbols
          .named(name)
          .map((symbol) => ({ ...symbol, file: files[symbol.file] as number })),
      )
      .filter(({ file }) => file >= 0)
      .map(({ name: own, kind, startLine1, endLine1, isExported, file }) => ({
        name: own,
        kind,
        startLine1,
        endLine1,
        isExported,
        file,
      }))
      .sort((a, b) => a.file - b.file || a.startLine1 - b.startLine1);
  }
}

function placesOf(segments: readonly Segment[]): Place[] {
  return segments.flatMap((segment) => {
    const { paths, chunkEnds } = segment.files;
    return paths
      .map((_, file) => ({
        segment,
        file,
        firstChunk: file === 0 ? 0 : (chunkEnds[file - 1] as number),
      }))
      .filter(({ file }) => segment.isRemoved[file] === 0);
  });
}

function pathOf({ segment, file }: Place): string {
  return segment.files.paths[file] as string;
}

function keepStanding(postings: FieldPostings, numbers: Int32Array): FieldPostings {
  if (postings.documents.length === 0) return postings;
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
