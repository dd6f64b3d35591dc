import { join, relative, sep } from "node:path";
import { isSameStamp, type WalkedFile } from "../../files/index.ts";
import {
  readGraph,
  readTreeState,
  type Segment,
  type StampColumns,
  stampAt,
} from "../segment/index.ts";
import type { TextGroup } from "./files-that-may-hold.ts";
import { indexFolder, openGeneration } from "../folder/index.ts";
import { compareBytes } from "../../text/index.ts";
import type { CorpusFile } from "./corpus-view.ts";
import { IndexedCorpus } from "./indexed-corpus.ts";

/** What an index knows of the words of files, for searches that read the files themselves. */
export class WordIndex {
  readonly #root: string;
  readonly #segments: readonly Segment[];
  readonly #corpus: IndexedCorpus;
  /** The stamps of the files when they were indexed. */
  readonly #stamps: StampColumns;

  private constructor(root: string, segments: readonly Segment[], newest: Segment) {
    this.#root = root;
    this.#segments = segments;
    this.#corpus = new IndexedCorpus(segments, () => readGraph(newest.file("imports")));
    this.#stamps = readTreeState(newest.file("chunks")).files;
  }

  /**
   * Opens the index of a folder.
   *
   * @returns `undefined` where there is none.
   * @throws IndexFault when it is damaged; `narrow` may throw it too.
   */
  static open(root: string): WordIndex | undefined {
    const segments = openGeneration(join(root, indexFolder))?.segments ?? [];
    const newest = segments.at(-1);
    return newest === undefined ? undefined : new WordIndex(root, segments, newest);
  }

  /**
   * Leaves out the files that certainly hold none of some groups of texts. A file that is new or changed since it was
   * indexed, or was not looked at, is never left out.
   *
   * @param files As a walk saw them just now, in the byte order of their paths.
   */
  narrow(files: readonly WalkedFile[], groups: readonly TextGroup[]): WalkedFile[] {
    const mayHold = this.#corpus.filesThatMayHold(groups);
    const first = files[0];
    if (first === undefined) return [];
    const folder = first.absolutePath.slice(0, -first.relativePath.length);
    const below = relative(this.#root, folder).replaceAll(sep, "/");
    const prefix = below === "" ? "" : `${below}/`;
    const known = this.#corpus.files;
    let number = 0;
    return files.filter((file) => {
      // Both lists are in the byte order of their paths.
      const path = prefix + file.relativePath;
      while (number < known.length && compareBytes((known[number] as CorpusFile).path, path) < 0)
        number += 1;
      const own = known[number];
      if (own?.path !== path || mayHold[number] === 1) return true;
      const { changedMs = Number.NaN, inode = Number.NaN } = file;
      const stamp = stampAt(this.#stamps, number, own.sizeBytes);
      return !isSameStamp(stamp, { ...file, changedMs, inode });
    });
  }

  [Symbol.dispose](): void {
    for (const segment of this.#segments) segment.close();
  }
}
