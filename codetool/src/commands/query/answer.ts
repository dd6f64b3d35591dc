import type { WalkedFile } from "../../files/index.ts";
import type {
  Place,
  PrintedCapture,
  RankedList,
  NumberedCorpus,
  SearchMode,
  SymbolReader,
} from "../../search/index.ts";
import type { MeaningIndex } from "./index-by-meaning.ts";
import type { FilesHolding, NarrowFiles } from "./narrow-files.ts";

/** All ranked places that answer a search. */
export interface Answer {
  readonly mode: SearchMode;
  /** Best first: matching lines or chunks, without those beyond the limit of ranked matches. */
  readonly places: RankedList<Place>;
  /** How many lines, chunks or pieces of code match, including those beyond the limit of ranked matches. */
  readonly matchCount: number;
  /** Of a search by text: what `grep -rn` would print at least, bytes. */
  readonly grepBytes?: number;
  /** Of the files that were read so far. */
  readonly unreadableCount: number;
  /** Where all files were read: those that gave no text. */
  readonly filesWithoutText?: readonly WalkedFile[];
  /** Of a search by structure: what the placeholders stand for in a file, by the `spanKeyOf` of the match. */
  readonly capturesIn?: (
    file: WalkedFile,
    text: Buffer,
    lines: ReadonlySet<number>,
  ) => ReadonlyMap<string, readonly PrintedCapture[]>;
}

/** The files to search. */
export interface SearchedFiles {
  /** All of them, walked when they are asked for. */
  readonly walk: () => readonly WalkedFile[];
  /** Leaves out files in which an index knows that nothing can match. */
  readonly narrow: NarrowFiles;
  /** All of them without those. */
  readonly filesHolding: FilesHolding;
  /** Those that hold the word most like one, then those with the next one, and so on. Absent without an index. */
  readonly holdingLike?: (word: string) => Iterable<readonly WalkedFile[]>;
}

/** Files that searches leave out. */
export interface LeftOutFiles {
  readonly large: readonly WalkedFile[];
  /**
   * Looks for them: it takes a moment.
   *
   * @param withoutText The files that gave no text, where all were read already.
   */
  readonly findBinary: (withoutText?: readonly WalkedFile[]) => readonly WalkedFile[];
}

/** The index of the files: for a search by words, and for one by meaning. */
export interface SearchedIndex {
  readonly searched: NumberedCorpus;
  readonly meaning: MeaningIndex;
}

/** What a query is answered from. */
export interface Surroundings {
  readonly files: SearchedFiles;
  /** Absent where there is none. */
  readonly index?: SearchedIndex;
  /** For an index that is made in memory: the aim for a chunk, and the size beyond which files are left out. */
  readonly sizes: { readonly chunkSizeCharacters: number; readonly fileSizeBytesMax: number };
  /** Words that name the project itself. */
  readonly projectWords: ReadonlySet<string>;
  readonly symbols: SymbolReader;
  /** Remarks are added here. */
  readonly warnings: string[];
}
