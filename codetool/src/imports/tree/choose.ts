import type { ResolvedFile } from "./file-tree.ts";
import type { PathIndex } from "./path-index.ts";
import { folderOf, sharedDepth } from "./relative-path.ts";

/** More files than this for one import are not an answer. */
export const ambiguousCountMax = 8;

/** One file, surely. */
export function surely(file: number | undefined): readonly ResolvedFile[] {
  return file === undefined ? [] : [{ file, confidence: 1 }];
}

/** One file, with less certainty. */
export function likely(file: number | undefined, confidence: number): readonly ResolvedFile[] {
  return file === undefined ? [] : [{ file, confidence }];
}

/** How a choice among several files is made. */
export interface ChoiceOptions {
  readonly paths: PathIndex;
  /** Path of the importing file. */
  readonly from: string;
  /** The confidence of a single file; several files share it. */
  readonly confidence: number;
}

/**
 * Takes those files that share most folders with the importing one; all of them when several do.
 *
 * @returns None when more than `ambiguousCountMax` are equally near.
 */
export function nearest(files: readonly number[], options: ChoiceOptions): readonly ResolvedFile[] {
  const { paths, from, confidence } = options;
  const [only] = files;
  if (only !== undefined && files.length === 1) {
    return paths.pathOf(only) === from ? [] : [{ file: only, confidence }];
  }
  const folder = folderOf(from);
  let best: number[] = [];
  let bestDepth = -1;
  for (const file of files) {
    const path = paths.pathOf(file);
    if (path === from) continue;
    const depth = sharedDepth(folder, folderOf(path));
    if (depth > bestDepth) {
      bestDepth = depth;
      best = [file];
    } else if (depth === bestDepth) {
      best.push(file);
    }
  }
  if (best.length > ambiguousCountMax) return [];
  // Others of the name that are farther away make it a little less sure.
  const certainty = files.length > best.length ? 0.9 * confidence : confidence;
  return best.map((file) => ({ file, confidence: certainty / best.length }));
}

/** Joins lists: each file once, with its best confidence, most likely first, then in the order of the tree. */
export function merged(lists: Iterable<readonly ResolvedFile[]>): readonly ResolvedFile[] {
  const best = new Map<number, number>();
  for (const list of lists) {
    for (const { file, confidence } of list) {
      best.set(file, Math.max(best.get(file) ?? 0, confidence));
    }
  }
  return [...best]
    .map(([file, confidence]) => ({ file, confidence }))
    .sort((one, other) => other.confidence - one.confidence || one.file - other.file);
}
