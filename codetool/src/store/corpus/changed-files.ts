import { statSync } from "node:fs";
import { QuickStat } from "../../files/index.ts";
import type { IndexedCorpus } from "./indexed-corpus.ts";
import { pathsBelow } from "../folder/index.ts";
import type { StoredTreeState } from "../segment/index.ts";

/**
 * Says whether the time of a folder changed: then an entry was made, removed or renamed.
 *
 * @param countMax How many folders are checked, from the first.
 */
export function anyFolderChanged(root: string, tree: StoredTreeState, countMax: number): boolean {
  const { folderTimesMs, folderPaths } = tree;
  if (countMax === 0) return false;
  const paths = new Uint8Array(folderPaths.length + 1);
  paths.set(folderPaths);
  using quick = QuickStat.open(root, paths);
  if (quick === undefined) {
    const absolute = pathsBelow(root);
    return tree.folders.slice(0, countMax).some(({ relativePath, modifiedMs }) => {
      const stat = statSync(absolute(relativePath), { throwIfNoEntry: false });
      return stat?.mtimeMs !== modifiedMs;
    });
  }
  let start = 0;
  for (let folder = 0; folder < countMax; folder += 1) {
    if (!quick.look(start) || !quick.hasTime(folderTimesMs[folder] as number)) return true;
    start = paths.indexOf(0, start) + 1;
  }
  return false;
}

/**
 * The files of an index that are gone, or whose size or time changed.
 *
 * @param options.timesMs Their times when they were indexed.
 * @param options.countMax How many files are checked, from the first.
 */
export function changedFiles(
  root: string,
  corpus: IndexedCorpus,
  { timesMs, countMax }: { readonly timesMs: Float64Array; readonly countMax: number },
): number[] {
  const count = Math.min(corpus.fileCount, countMax);
  const changed: number[] = [];
  const [paths, sizes] = corpus.identityOf(0, corpus.fileCount);
  using quick = QuickStat.open(root, paths);
  if (quick === undefined) {
    const absolute = pathsBelow(root);
    for (let file = 0; file < count; file += 1) {
      const stat = statSync(absolute(corpus.pathOf(file)), { throwIfNoEntry: false });
      const isSame = stat?.mtimeMs === timesMs[file] && stat?.size === corpus.sizeBytesOf(file);
      if (!isSame || !stat.isFile()) changed.push(file);
    }
    return changed;
  }
  let start = 0;
  for (let file = 0; file < count; file += 1) {
    const isSame =
      quick.look(start) &&
      quick.hasTime(timesMs[file] as number) &&
      quick.isFileOf(sizes[file] as number);
    if (!isSame) changed.push(file);
    start = paths.indexOf(0, start) + 1;
  }
  return changed;
}
