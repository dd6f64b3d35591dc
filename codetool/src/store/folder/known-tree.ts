import type { FileStamp, WalkedFolder } from "../../files/index.ts";
import type { ImportingFile } from "../../imports/index.ts";
import { compareBytes } from "../../text/index.ts";
import { areRulesCertain, isSameOutside } from "./tree-rules.ts";
import { endsOfPaths, type StampedFiles } from "./changed-files.ts";
import {
  filesInOrder,
  noTreeState,
  readTreeState,
  type Segment,
  stampAt,
  type StoredTreeState,
} from "../segment/index.ts";

/** A file of the current index, and its place there. */
export interface KnownFile {
  readonly path: string;
  /** Place of its segment in the list. */
  readonly segment: number;
  /** Its number in the segment. */
  readonly file: number;
}

/** What decides which files a tree has. */
interface SeenFolders {
  readonly folders: readonly WalkedFolder[];
  /** See `rulesOf`. */
  readonly rules: string;
}

/** The tree as the last run saw it. */
export class KnownTree {
  /** In the byte order of their paths. */
  readonly files: readonly KnownFile[];
  readonly #segments: readonly Segment[];
  /** As the last run wrote it; `undefined` without one. */
  readonly state: StoredTreeState | undefined;
  readonly #hexHashes: (string | undefined)[] = [];

  /** @param segments The base first; files that a later segment took back are marked. */
  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
    this.files = standingFiles(segments);
    const newest = segments.at(-1);
    this.state = newest === undefined ? undefined : readTreeState(newest.file("chunks"));
  }

  /** The stamp of a file at the last run, by its place in `files`; it equals nothing where it was too recent to be reliable. */
  stampOf(place: number): FileStamp | undefined {
    const known = this.files[place];
    if (known === undefined || this.state === undefined) return undefined;
    return stampAt(this.state.files, place, this.sizeOf(known) ?? Number.NaN);
  }

  /** The files for a look at each of them, numbered by their places. */
  stampedFiles(): StampedFiles {
    const { files, state = noTreeState } = this;
    const paths = Buffer.from(files.map(({ path }) => `${path}\0`).join(""), "utf8");
    return {
      fileCount: files.length,
      paths,
      pathEnds: endsOfPaths(paths, files.length),
      sizes: Float64Array.from(files, (file) => this.sizeOf(file) ?? Number.NaN),
      stamps: state.files,
    };
  }

  /** Size of a file, bytes. */
  sizeOf({ segment, file }: KnownFile): number | undefined {
    return this.#segments[segment]?.files.sizes[file];
  }

  /** XXH3-128 of a file, 32 hexadecimal digits. */
  hashOf({ segment, file }: KnownFile): string {
    const hex = (this.#hexHashes[segment] ??= hexOf(this.#segments[segment]?.files.hashes));
    return hex.slice(32 * file, 32 * file + 32);
  }

  /** What a file imports and defines. */
  importingFile({ segment, file }: KnownFile): ImportingFile {
    return this.#segments[segment]?.importingFiles[file] as ImportingFile;
  }

  /** True when the last run saw the same folders with the same stamps, and the same rules. */
  hasFolders({ folders, rules }: SeenFolders): boolean {
    // Rules that are too recent would not be more reliable after a new run.
    const keptRules = this.state?.rules ?? "";
    if (areRulesCertain(rules) ? rules !== keptRules : !isSameOutside(rules, keptRules))
      return false;
    const known = this.state?.folders;
    return (
      known?.length === folders.length &&
      folders.every(({ relativePath, modifiedMs, changedMs, inode }, index) => {
        const before = known[index];
        // A time that is again too recent would not be more reliable after a new run.
        const isSameTime = before?.modifiedMs === modifiedMs && before.changedMs === changedMs;
        const isSame = (isSameTime || Number.isNaN(modifiedMs)) && before?.inode === inode;
        return before?.relativePath === relativePath && isSame;
      })
    );
  }
}

function hexOf(bytes: Uint8Array = new Uint8Array(0)): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

/** The files that no later segment took back, in the byte order of their paths. */
function standingFiles(segments: readonly Segment[]): KnownFile[] {
  const { segmentNumbers, ownNumbers } = filesInOrder(segments);
  const paths = segments.map(({ files }) => files.paths);
  return Array.from(ownNumbers, (file, at) => {
    const segment = segmentNumbers[at] as number;
    return { path: paths[segment]?.[file] as string, segment, file };
  });
}

/** Makes one list of two, each in the byte order of its paths. */
export function mergeByPath<Item extends { readonly path: string }>(
  left: readonly Item[],
  right: readonly Item[],
): Item[] {
  const merged: Item[] = [];
  let at = 0;
  for (const item of right) {
    for (let next = left[at]; next !== undefined; next = left[at]) {
      if (compareBytes(next.path, item.path) > 0) break;
      merged.push(next);
      at += 1;
    }
    merged.push(item);
  }
  for (; at < left.length; at += 1) merged.push(left[at] as Item);
  return merged;
}
