import type { FileStamp, WalkedFolder } from "../../files/index.ts";
import type { SectionFile, SectionWriter } from "../sections/index.ts";

/** How close two changes can be without a new time, on file systems that keep whole seconds. */
const secondGrainMs = 2000;
/** The same on file systems with finer times. */
export const fineGrainMs = 20;

/** The stamps of files or folders in columns; sizes of files are kept elsewhere. */
export interface StampColumns {
  /** NaN for a stamp that says nothing, see `certainStamp`. */
  readonly modifiedMs: Float64Array;
  readonly changedMs: Float64Array;
  readonly inodes: Float64Array;
}

/** The stamps of a tree at a run: a file or folder with the same stamp as then did not change since. */
export interface TreeState {
  /** Of the files that are still there, in the byte order of their paths. */
  readonly files: StampColumns;
  readonly folders: readonly WalkedFolder[];
  /** Paths of files that were too large, relative to the root. */
  readonly leftOut: readonly string[];
  /** What else decides which files a walk lists. */
  readonly rules: string;
}

/** The same as it was written. */
export interface StoredTreeState extends TreeState {
  /** Paths of the folders, a NUL between two. */
  readonly folderPaths: Uint8Array;
  readonly folderStamps: StampColumns;
}

const noStamps: StampColumns = columnsOf([]);

/** Of a tree without files. */
export const noTreeState: StoredTreeState = {
  files: noStamps,
  folders: [],
  leftOut: [],
  rules: "",
  folderPaths: new Uint8Array(0),
  folderStamps: noStamps,
};

/** Puts stamps into columns. */
export function columnsOf(
  stamps: readonly {
    readonly modifiedMs: number;
    readonly changedMs: number;
    readonly inode: number;
  }[],
): StampColumns {
  return {
    modifiedMs: Float64Array.from(stamps, ({ modifiedMs }) => modifiedMs),
    changedMs: Float64Array.from(stamps, ({ changedMs }) => changedMs),
    inodes: Float64Array.from(stamps, ({ inode }) => inode),
  };
}

/** The stamp at a place of columns; of a place that they do not have, one that equals nothing. */
export function stampAt(
  { modifiedMs, changedMs, inodes }: StampColumns,
  place: number,
  sizeBytes: number,
): FileStamp {
  return {
    sizeBytes,
    modifiedMs: modifiedMs[place] ?? Number.NaN,
    changedMs: changedMs[place] ?? Number.NaN,
    inode: inodes[place] ?? Number.NaN,
  };
}

/**
 * The stamp to keep of a file or folder. One that is so recent that another change could get the same is not kept: its
 * time is NaN, which equals nothing.
 *
 * @param seenMs When it was read or listed, or before.
 */
export function certainStamp<
  Stamp extends { readonly modifiedMs: number; readonly changedMs: number },
>(stamp: Stamp, seenMs: number): Stamp {
  const isCertain = isPastGrain(stamp.modifiedMs, seenMs) && isPastGrain(stamp.changedMs, seenMs);
  return isCertain ? stamp : { ...stamp, modifiedMs: Number.NaN };
}

/** True when a change at a later moment gets another time than one at this time. Both are milliseconds since the Unix epoch. */
export function isPastGrain(timeMs: number, seenMs: number): boolean {
  return timeMs <= seenMs - (timeMs % 1000 === 0 ? secondGrainMs : fineGrainMs);
}

/** Writes the sections `tree.*`. */
export function writeTreeState(writer: SectionWriter, state: TreeState): void {
  writeStamps(writer, "file", state.files);
  const paths = state.folders.map(({ relativePath }) => relativePath).join("\0");
  writer.section("tree.folders", Buffer.from(paths, "utf8"));
  writeStamps(writer, "folder", columnsOf(state.folders));
  writer.section("tree.leftOut", Buffer.from(state.leftOut.join("\0"), "utf8"));
  writer.section("tree.rules", Buffer.from(state.rules, "utf8"));
}

function writeStamps(writer: SectionWriter, of: "file" | "folder", stamps: StampColumns): void {
  writer.section(`tree.${of}Times`, stamps.modifiedMs);
  writer.section(`tree.${of}Changes`, stamps.changedMs);
  writer.section(`tree.${of}Inodes`, stamps.inodes);
}

function readStamps(file: SectionFile, of: "file" | "folder"): StampColumns {
  return {
    modifiedMs: file.array(`tree.${of}Times`, Float64Array),
    changedMs: file.array(`tree.${of}Changes`, Float64Array),
    inodes: file.array(`tree.${of}Inodes`, Float64Array),
  };
}

/**
 * Reads the sections `tree.*`.
 *
 * @throws IndexFault for paths that lead out of the tree.
 */
export function readTreeState(file: SectionFile): StoredTreeState {
  const folderStamps = readStamps(file, "folder");
  const folderPaths = file.array("tree.folders", Uint8Array);
  let folders: readonly WalkedFolder[] | undefined;
  const readFolders = (): readonly WalkedFolder[] => {
    const paths = Buffer.from(folderPaths).toString("utf8").split("\0");
    return Array.from(folderStamps.inodes, (_, index) => {
      const { modifiedMs, changedMs, inode } = stampAt(folderStamps, index, 0);
      return { relativePath: paths[index] ?? "", modifiedMs, changedMs, inode };
    });
  };
  const leftOut = Buffer.from(file.array("tree.leftOut", Uint8Array)).toString("utf8");
  // As with the paths of files: an index may come from a stranger.
  if (/(?:^|\0)\/|(?:^|[/\0])\.\.(?:[/\0]|$)/.test(leftOut))
    throw file.fault("a path in it leads out of the tree");
  return {
    files: readStamps(file, "file"),
    leftOut: leftOut === "" ? [] : leftOut.split("\0"),
    get rules() {
      return Buffer.from(file.array("tree.rules", Uint8Array)).toString("utf8");
    },
    folderPaths,
    folderStamps,
    get folders() {
      return (folders ??= readFolders());
    },
  };
}
