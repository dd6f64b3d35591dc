import type { LineBlock } from "./changed-file.ts";
import { gitFailure } from "./failure.ts";
import { readFileBlocks } from "./read-file-blocks.ts";
import { runGit } from "./run-git.ts";
import type { WorkTree } from "./work-tree.ts";

/** A commit that changed some lines. */
export interface LineCommit {
  /** Its short id. */
  readonly commit: string;
  /** When its author made it, `YYYY-MM-DD`. */
  readonly date: string;
  readonly author: string;
  /** The first line of its message. */
  readonly subject: string;
}

/** What git knows of some lines of a file in the working tree. */
export interface LineHistory {
  /** The newest first. */
  readonly commits: readonly LineCommit[];
  /** Some of the lines differ from HEAD. */
  readonly isUncommitted: boolean;
}

/** Which lines. */
export interface LineRange {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** In the file as it is in the working tree, from 1, both included. */
  readonly start1: number;
  readonly end1: number;
}

/**
 * Asks git for the latest commits that changed some lines, followed over what moved them and over renames of the file.
 *
 * @param options.countMax Commits at most.
 * @param options.timeoutMs Longest wait: lines that nobody changed for a long time take a walk over the whole history.
 * @returns `undefined` for a file that git does not track.
 * @throws git_error, for example where there is no commit yet, and where git takes longer.
 */
export async function readLineHistory(
  tree: WorkTree,
  { path, start1, end1 }: LineRange,
  options: { readonly countMax: number; readonly timeoutMs: number },
): Promise<LineHistory | undefined> {
  const blocks = await readFileBlocks(tree, path);
  if (blocks === undefined) return undefined;
  const isUncommitted = blocks.some(
    ({ newStart1, newLines }) =>
      newStart1 <= end1 && newStart1 + Math.max(1, newLines.length) > start1,
  );
  const start = committedLine(start1, blocks);
  const end = Math.max(start, committedLine(end1, blocks));
  const format = "--format=%h%x00%as%x00%an%x00%s";
  const count = `--max-count=${options.countMax}`;
  const call = tree.call(["log", "--no-color", "-s", format, count, `-L${start},${end}:${path}`]);
  const answer = await runGit({ ...call, timeoutMs: options.timeoutMs });
  if (answer.kind === "failed") throw gitFailure(answer, "read the history of lines");
  // Lines of a file that HEAD does not have are as new as they can be.
  if (answer.exitCode !== 0) return { commits: [], isUncommitted };
  const commits = answer.stdout
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): LineCommit => {
      const [commit = "", date = "", author = "", subject = ""] = line.split("\0");
      return { commit, date, author, subject };
    });
  return { commits, isUncommitted };
}

/** The line of HEAD that a line of the working tree is, or is next to. */
function committedLine(line1: number, blocks: readonly LineBlock[]): number {
  let shift = 0;
  for (const { oldStart1, newStart1, oldLines, newLines } of blocks) {
    if (newStart1 + newLines.length <= line1) shift += oldLines.length - newLines.length;
    else if (newStart1 <= line1)
      return Math.max(1, oldStart1 + Math.min(line1 - newStart1, Math.max(0, oldLines.length - 1)));
  }
  return Math.max(1, line1 + shift);
}
