import type { Chunk } from "../../index/index.ts";
import type { ImportGraph } from "../../imports/index.ts";
import type { SymbolKind } from "../../syntax/index.ts";

/** The fields of a corpus: the text, by chunk; the defined names and the comments, by file. */
export type CorpusField = "body" | "names" | "comments";

/** A file of a corpus. */
export interface CorpusFile {
  /** Relative to the corpus' root, with forward slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly language: string | null;
  /** False for binary content, which has no chunks. */
  readonly isText: boolean;
  readonly lineCount: number;
  /** Numbers of its chunks: from `firstChunk` to before `chunkEnd`. */
  readonly firstChunk: number;
  readonly chunkEnd: number;
}

/** A definition as a ranking needs it. */
export interface CorpusSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** 1-based, both included. */
  readonly startLine1: number;
  readonly endLine1: number;
  readonly isExported: boolean;
  /** Number of the file. */
  readonly file: number;
}

/**
 * An indexed corpus as retrieval and ranking see it, on the disk or in memory. Files are numbered in the byte order of their
 * paths, chunks in the order of files and places, so the same tree always gives the same numbers.
 *
 * Documents of the field `body` are chunks (with the words of their path), those of the other fields are files.
 */
export interface CorpusView {
  readonly fileCount: number;
  readonly chunkCount: number;
  /** Number of the first chunk of each file, and of all chunks at the end. */
  readonly chunkStarts: Uint32Array;
  /** One file. */
  file(number: number): CorpusFile;
  /** Where a term occurs, given lower-cased; documents ascending; empty when nowhere. */
  postingsOf(
    field: CorpusField,
    term: string,
  ): { readonly documents: Uint32Array; readonly frequencies: Uint16Array };
  /** Number of terms of each document of a field. */
  lengthsOf(field: CorpusField): Uint32Array;
  /** Which files import which; absent where that is not known. */
  readonly importGraph?: ImportGraph;
  /** The chunks of a file. */
  chunksOf(file: number): readonly Chunk[];
  /** How many definitions are in a file. */
  symbolCountOf(file: number): number;
  /** The definitions in a file, outer ones before those inside. */
  symbolsOf(file: number): readonly (CorpusSymbol & { readonly parent: number | null })[];
  /** Of these the definitions whose names hold a match of a pattern with the flag `g`. */
  symbolsHolding(
    file: number,
    pattern: RegExp,
  ): readonly (CorpusSymbol & { readonly parent: number | null })[];
  /** Definitions of a name, whatever the case of its ASCII letters, in the order of files and lines. */
  symbolsNamed(name: string): readonly CorpusSymbol[];
}
