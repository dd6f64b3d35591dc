import type { WalkedFile } from "../../files/index.ts";
import type { DenseFiles, RankedCorpus } from "../ranker/index.ts";
import type { FileReader, SymbolReader } from "../scan/index.ts";
import type { ScoredChunk } from "./chunk-scorer.ts";
import type { WhyPlace } from "./why-place.ts";

/** One feature of a hit's file, and what it is multiplied with. */
export interface ExplainedFeature {
  readonly feature: string;
  readonly value: number;
  readonly weight: number;
}

/** A chunk that answers a query. */
export interface RankedChunk extends ScoredChunk {
  readonly file: WalkedFile;
  /** 0 to 1. */
  readonly relevance: number;
  /** Of what is much worse than the best, its line is enough. */
  readonly isBrief?: boolean;
  /** Of the text that it was chosen in: `checksumOf`. */
  readonly checksum: number;
  /** Where it was asked for: what speaks for the file, most important first. */
  readonly features?: readonly ExplainedFeature[];
  /** Where it was asked for, and is known: why this place of its file. */
  readonly why?: WhyPlace;
}

/** What to search. */
export interface RankedSearchOptions {
  readonly query: string;
  readonly reader: FileReader;
  readonly symbols: SymbolReader;
  /** Words that name the project itself. */
  readonly projectWords: ReadonlySet<string>;
  readonly isExplained?: boolean;
  /** Aim for the size of a chunk of a file that is newer than its index. */
  readonly chunkSizeCharacters: number;
}

/** An index, and how its files are read. */
export interface SearchedCorpus {
  readonly ranked: RankedCorpus;
  readonly fileOf: (file: number) => WalkedFile;
  /** How near the files are to the query by their vectors, where these are known. */
  readonly dense?: DenseFiles;
}

/** An index that can be asked for a file. */
export interface NumberedCorpus extends SearchedCorpus {
  /** The number of a file; `undefined` for one that it does not have. */
  readonly numberOf: (file: WalkedFile) => number | undefined;
}
