import { isSameStamp, QuickStat, stampOf, statAt } from "../../files/index.ts";
import { type StampColumns, stampAt, type StoredTreeState } from "../segment/index.ts";
import { pathsBelow } from "./paths-below.ts";

/** Folders of an index as they were when they were indexed. */
export interface StampedFolders {
  readonly folderCount: number;
  /** Their paths one behind the other, a NUL behind each. */
  readonly paths: Uint8Array;
  readonly stamps: StampColumns;
}

/**
 * The first folders of an index for a look at each of them.
 *
 * @param countMax How many at most; default all.
 */
export function stampedFolders(tree: StoredTreeState, countMax = Infinity): StampedFolders {
  const { folderStamps, folderPaths } = tree;
  const paths = new Uint8Array(folderPaths.length + 1);
  paths.set(folderPaths);
  const folderCount = Math.min(folderStamps.inodes.length, countMax);
  return { folderCount, paths, stamps: folderStamps };
}

/** Says whether the times or the inode of a folder changed: then an entry was made, removed or renamed. */
export function anyFolderChanged(
  root: string,
  { folderCount, paths, stamps }: StampedFolders,
): boolean {
  if (folderCount === 0) return false;
  const pathEnds = endsOfPaths(paths, folderCount);
  using quick = QuickStat.open(root, paths);
  if (quick !== undefined) {
    const { changed } = quick.compare({ pathEnds, stamps }, { start: 0, end: folderCount }, 1);
    return changed.length > 0;
  }
  const absolute = pathsBelow(root);
  return pathEnds.some((end, folder) => {
    const start = folder === 0 ? 0 : (pathEnds[folder - 1] as number);
    return !isSameFolder(absolute(textOf(paths, start, end - 1)), stamps, folder);
  });
}

function isSameFolder(path: string, stamps: StampColumns, folder: number): boolean {
  const stat = statAt(path, { isFollowed: true });
  return stat !== undefined && isSameStamp(stampOf(stat), stampAt(stamps, folder, stat.size));
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  // What is shared with another thread has to be copied first.
  return Buffer.from(bytes.slice(start, end)).toString("utf8");
}

/** The files of an index as they were when they were indexed. */
export interface StampedFiles {
  readonly fileCount: number;
  /** Their paths one behind the other, a NUL behind each. */
  readonly paths: Uint8Array;
  /** Where each path ends, the NUL included. */
  readonly pathEnds: Uint32Array;
  /** At least one a file. */
  readonly sizes: Float64Array;
  readonly stamps: StampColumns;
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
 * @param range Which files are looked at, the end not included; default all.
 */
export function changedFiles(
  root: string,
  { fileCount, paths, pathEnds, sizes, stamps }: StampedFiles,
  range: { readonly start: number; readonly end: number } = { start: 0, end: fileCount },
): ChangedFiles {
  using quick = QuickStat.open(root, paths);
  if (quick !== undefined) return quick.compare({ pathEnds, stamps, sizes }, range);
  const changed: number[] = [];
  let isAnyLinked = false;
  const absolute = pathsBelow(root);
  for (let file = range.start; file < range.end; file += 1) {
    const start = file === 0 ? 0 : (pathEnds[file - 1] as number);
    const stat = statAt(absolute(textOf(paths, start, (pathEnds[file] as number) - 1)));
    isAnyLinked ||= stat !== undefined && stat.nlink > 1;
    const stamp = stampAt(stamps, file, sizes[file] as number);
    const isSame = stat?.isFile() === true && isSameStamp(stampOf(stat), stamp);
    if (!isSame) changed.push(file);
  }
  return { changed, isAnyLinked };
}

/**
 * Where each of some paths ends, the NUL included.
 *
 * @param paths One behind the other, a NUL behind each.
 */
export function endsOfPaths(paths: Uint8Array, count: number): Uint32Array {
  const ends = new Uint32Array(count);
  let start = 0;
  for (let at = 0; at < count; at += 1) {
    start = paths.indexOf(0, start) + 1;
    ends[at] = start;
  }
  return ends;
}
