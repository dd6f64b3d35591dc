import { lstatSync, statSync } from "node:fs";
import { isSameStamp, QuickStat, stampOf } from "../../files/index.ts";
import type { IndexedCorpus } from "./indexed-corpus.ts";
import { pathsBelow } from "../folder/index.ts";
import { type StampColumns, stampAt, type StoredTreeState } from "../segment/index.ts";

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
 * @param options.stamps As they were when the files were indexed.
 * @param options.countMax How many files are checked, from the first.
 */
export function changedFiles(
  root: string,
  corpus: IndexedCorpus,
  { stamps, countMax }: { readonly stamps: StampColumns; readonly countMax: number },
): ChangedFiles {
  const count = Math.min(corpus.fileCount, countMax);
  const changed: number[] = [];
  let isAnyLinked = false;
  const [paths, sizes] = corpus.identityOf(0, corpus.fileCount);
  using quick = QuickStat.open(root, paths);
  if (quick === undefined) {
    const absolute = pathsBelow(root);
    for (let file = 0; file < count; file += 1) {
      const stat = lstatSync(absolute(corpus.pathOf(file)), { throwIfNoEntry: false });
      isAnyLinked ||= stat !== undefined && stat.nlink > 1;
      const stamp = stampAt(stamps, file, corpus.sizeBytesOf(file));
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
