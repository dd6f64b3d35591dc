import { lstatSync, statSync } from "node:fs";
import { isSameStamp, QuickStat, stampOf } from "../../files/index.ts";
import { type StampColumns, stampAt, type StoredTreeState } from "../segment/index.ts";
import { pathsBelow } from "./tree-graph.ts";

/**
 * Says whether the times or the inode of a folder changed: then an entry was made, removed or renamed.
 *
 * @param countMax How many folders are checked, from the first.
 */
export function anyFolderChanged(root: string, tree: StoredTreeState, countMax: number): boolean {
  const { folderStamps, folderPaths } = tree;
  if (countMax === 0) return false;
  const paths = new Uint8Array(folderPaths.length + 1);
  paths.set(folderPaths);
  using quick = QuickStat.open(root, paths);
  if (quick === undefined) {
    const absolute = pathsBelow(root);
    return tree.folders.slice(0, countMax).some((folder) => {
      const stat = statSync(absolute(folder.relativePath), { throwIfNoEntry: false });
      return stat === undefined || !isSameStamp(stampOf(stat), { ...folder, sizeBytes: stat.size });
    });
  }
  let start = 0;
  for (let folder = 0; folder < countMax; folder += 1) {
    if (!quick.look(start) || !hasStamp(quick, folderStamps, folder)) return true;
    start = paths.indexOf(0, start) + 1;
  }
  return false;
}

function hasStamp(quick: QuickStat, stamps: StampColumns, place: number): boolean {
  const { modifiedMs, changedMs, inodes } = stamps;
  return quick.hasTimes(
    modifiedMs[place] as number,
    changedMs[place] as number,
    inodes[place] as number,
  );
}

/** The files of an index as they were when they were indexed. */
export interface StampedFiles {
  readonly fileCount: number;
  /** Their paths one behind the other, a NUL behind each. */
  readonly paths: Uint8Array;
  /** At least one a file. */
  readonly sizes: Float64Array;
  readonly stamps: StampColumns;
  readonly pathOf: (file: number) => string;
}

/** What a look at the files of an index found. */
export interface ChangedFiles {
  /** Numbers of files that are gone, or have another stamp. */
  readonly changed: readonly number[];
  /** A file has further names: it may be written by one that no folder of the tree holds. */
  readonly isAnyLinked: boolean;
}

/**
 * The files of an index that are gone, or whose size, times or inode changed.
 *
 * @param countMax How many files are checked, from the first; default all.
 */
export function changedFiles(
  root: string,
  { fileCount, paths, sizes, stamps, pathOf }: StampedFiles,
  countMax = fileCount,
): ChangedFiles {
  const count = Math.min(fileCount, countMax);
  const changed: number[] = [];
  let isAnyLinked = false;
  using quick = QuickStat.open(root, paths);
  if (quick === undefined) {
    const absolute = pathsBelow(root);
    for (let file = 0; file < count; file += 1) {
      const stat = lstatSync(absolute(pathOf(file)), { throwIfNoEntry: false });
      isAnyLinked ||= stat !== undefined && stat.nlink > 1;
      const stamp = stampAt(stamps, file, sizes[file] as number);
      const isSame = stat?.isFile() === true && isSameStamp(stampOf(stat), stamp);
      if (!isSame) changed.push(file);
    }
    return { changed, isAnyLinked };
  }
  let start = 0;
  for (let file = 0; file < count; file += 1) {
    const isThere = quick.look(start);
    isAnyLinked ||= isThere && quick.isLinked();
    const isSame =
      isThere && hasStamp(quick, stamps, file) && quick.isFileOf(sizes[file] as number);
    if (!isSame) changed.push(file);
    start = paths.indexOf(0, start) + 1;
  }
  return { changed, isAnyLinked };
}
