import type { WalkedFolder } from "../../files/index.ts";
import type { SectionFile, SectionWriter } from "../sections/index.ts";

/** How close two changes can be without a new time, on file systems that keep whole seconds. */
const secondGrainMs = 2000;
/** The same on file systems with finer times. */
export const fineGrainMs = 20;

/**
 * The times of a tree at a run: a file with the same size and time as then did not change since. A time that is so recent
 * that another change could get the same time is not kept: it is NaN, which equals nothing.
 */
export interface TreeState {
  /** Of the files that are still there, in the byte order of their paths. */
  readonly fileTimesMs: Float64Array;
  readonly folders: readonly WalkedFolder[];
}

/** The same as it was written. */
export interface StoredTreeState extends TreeState {
  /** Paths of the folders, a NUL between two. */
  readonly folderPaths: Uint8Array;
  readonly folderTimesMs: Float64Array;
}

/** Of a tree without files. */
export const noTreeState: StoredTreeState = {
  fileTimesMs: new Float64Array(0),
  folders: [],
  folderPaths: new Uint8Array(0),
  folderTimesMs: new Float64Array(0),
};

/**
 * The time to keep of a file or folder.
 *
 * @param modifiedMs Its time.
 * @param seenMs When it was read or listed, or before.
 */
export function certainTime(modifiedMs: number, seenMs: number): number {
  const grainMs = modifiedMs % 1000 === 0 ? secondGrainMs : fineGrainMs;
  return modifiedMs > seenMs - grainMs ? Number.NaN : modifiedMs;
}

/** Writes the sections `tree.*`. */
export function writeTreeState(writer: SectionWriter, state: TreeState): void {
  writer.section("tree.fileTimes", state.fileTimesMs);
  const paths = state.folders.map(({ relativePath }) => relativePath).join("\0");
  writer.section("tree.folders", Buffer.from(paths, "utf8"));
  writer.section(
    "tree.folderTimes",
    Float64Array.from(state.folders, ({ modifiedMs }) => modifiedMs),
  );
}

/** Reads the sections `tree.*`. */
export function readTreeState(file: SectionFile): StoredTreeState {
  const folderTimesMs = file.array("tree.folderTimes", Float64Array);
  const folderPaths = file.array("tree.folders", Uint8Array);
  let folders: readonly WalkedFolder[] | undefined;
  const readFolders = (): readonly WalkedFolder[] => {
    const paths = Buffer.from(folderPaths).toString("utf8").split("\0");
    return Array.from(folderTimesMs, (modifiedMs, index) => ({
      relativePath: paths[index] ?? "",
      modifiedMs,
    }));
  };
  return {
    fileTimesMs: file.array("tree.fileTimes", Float64Array),
    folderPaths,
    folderTimesMs,
    get folders() {
      return (folders ??= readFolders());
    },
  };
}
