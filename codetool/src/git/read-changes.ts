import { displayedPath } from "./displayed-path.ts";
import type { ChangedFile, FileSide, FileStatus, LineBlock } from "./changed-file.ts";
import { diffAgainst, patchForm, untrackedPaths } from "./diff-against.ts";
import { both } from "./both.ts";
import { finishAround, isOfEdit } from "./interrupted-edits.ts";
import { parsePatch, type PatchSection } from "./patch-sections.ts";
import { parseRawRecords, type RawRecord } from "./raw-records.ts";
import type { Revision } from "./revision.ts";
import { readUntracked } from "./untracked-file.ts";
import type { WorkTree } from "./work-tree.ts";

/** What is compared. */
export interface ChangesRequest {
  readonly revision: Revision;
  /** Compares with the index, not with the working tree. */
  readonly isStaged: boolean;
  /** Files and folders relative to the root; all when there are none. */
  readonly paths: readonly string[];
  /** Untracked files above this size are named without their lines; bytes. */
  readonly fileSizeBytesMax: number;
}

/**
 * Asks git which files changed, and which lines: one `git diff`, and at the same time a listing of untracked files if the
 * working tree is compared.
 *
 * @returns Files in git's order, by path; untracked ones last.
 * @throws git_error for a revision that does not exist, and for anything else that git refuses.
 */
export async function readChanges(
  tree: WorkTree,
  request: ChangesRequest,
): Promise<readonly ChangedFile[]> {
  const files = await askChanges(tree, request);
  const isWorkTree = !request.isStaged && request.revision.kind === "one";
  // Half of a set of files may have been in place: git is asked once more.
  const now =
    isWorkTree && finishAround(tree.root, files) ? await askChanges(tree, request) : files;
  return now.filter((file) => !isOfEdit((file.new ?? file.old)?.path ?? ""));
}

async function askChanges(
  tree: WorkTree,
  request: ChangesRequest,
): Promise<readonly ChangedFile[]> {
  const hasUntracked = !request.isStaged && request.revision.kind === "one";
  const [output, untracked] = await both(
    diffAgainst(tree, { ...request, form: patchForm }),
    hasUntracked ? untrackedPaths(tree, request.paths) : Promise.resolve([]),
  );
  const { records, end } = parseRawRecords(output);
  const sections = parsePatch(output.subarray(end));
  const files = joinSections(records, sections);
  const budget = { sizeBytes: untrackedSizeBytesMax };
  for (const pathBytes of untracked) {
    files.push(readUntracked(tree.root, pathBytes, { ...request, budget }));
  }
  return files;
}

/** All untracked files together are read up to 64 MiB. */
const untrackedSizeBytesMax = 64 * 1024 * 1024;

const statusOfLetter: { readonly [letter: string]: FileStatus } = {
  A: "added",
  C: "copied",
  D: "deleted",
  R: "renamed",
};

/** Records and sections are in the same order; a changed type has two sections, a conflict none. */
function joinSections(
  records: readonly RawRecord[],
  sections: readonly PatchSection[],
): ChangedFile[] {
  let next = 0;
  const files = records.map((record): ChangedFile => {
    const count = record.status === "U" ? 0 : record.status === "T" ? 2 : 1;
    const own = sections.slice(next, next + count);
    next += count;
    return {
      status: statusOfLetter[record.status] ?? "modified",
      ...(isThere(record.oldMode) ? { old: sideOf(record, "old") } : {}),
      ...(isThere(record.newMode) ? { new: sideOf(record, "new") } : {}),
      blocks:
        own.length === 2 ? joinBlocks(own.flatMap(({ blocks }) => blocks)) : (own[0]?.blocks ?? []),
      isBinary: own.some(({ isBinary }) => isBinary),
      isUnmerged: record.status === "U",
    };
  });
  if (next !== sections.length)
    throw new Error(`git diff named ${records.length} files and showed ${sections.length}`);
  return files;
}

/** A file that changed its type: all old lines are removed and all new lines added. */
function joinBlocks(blocks: readonly LineBlock[]): LineBlock[] {
  if (blocks.length === 0) return [];
  return [
    {
      oldStart1: 1,
      newStart1: 1,
      oldLines: blocks.flatMap(({ oldLines }) => oldLines),
      newLines: blocks.flatMap(({ newLines }) => newLines),
      isOldUnended: blocks.some(({ isOldUnended }) => isOldUnended),
      isNewUnended: blocks.some(({ isNewUnended }) => isNewUnended),
    },
  ];
}

function isThere(mode: string): boolean {
  return !/^0+$/.test(mode);
}

function sideOf(record: RawRecord, side: "old" | "new"): FileSide {
  const pathBytes = side === "old" ? record.oldPath : record.newPath;
  const id = side === "old" ? record.oldId : record.newId;
  return {
    pathBytes,
    path: displayedPath(pathBytes),
    mode: side === "old" ? record.oldMode : record.newMode,
    blobId: /^0+$/.test(id) ? undefined : id,
  };
}
