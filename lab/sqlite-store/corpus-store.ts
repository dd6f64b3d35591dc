import type { IndexedFile } from "../../codetool/src/store/segment/indexed-file.ts";
import type { CorpusView } from "../../codetool/src/store/index.ts";
import type { CodeSymbol } from "../../codetool/src/syntax/index.ts";

/** Aim for the size of a chunk, characters: codetool's default. */
export const chunkSizeCharacters = 1500;

/** A file of the measured tree as every store gets it: read and parsed. */
export interface PreparedFile extends IndexedFile {
  /** UTF-8; `null` for binary content. */
  readonly text: Uint8Array | null;
  readonly symbols: readonly CodeSymbol[];
}

/** An index on the disk, as one storage or another keeps it. Its folder is given when it is made. */
export interface CorpusStore {
  /** Makes the index. Batches are neighbouring files, in the byte order of their paths. */
  build(batches: Iterable<readonly PreparedFile[]>): void;
  /** Puts a file that the index has, with other content, in its place. */
  update(file: PreparedFile): void;
  /** Opens the index. */
  open(): OpenStore;
}

/** An open index. */
export interface OpenStore extends Disposable {
  /** As codetool's ranking sees it. */
  readonly view: CorpusView;
  /** Says of each file, by its number, whether it may hold a text, whatever the case of ASCII letters: 1 or 0. */
  filesThatMayHold(text: string): Uint8Array;
  /**
   * Reads all of the index.
   *
   * @throws when it sees damage.
   */
  verify(): void;
}
