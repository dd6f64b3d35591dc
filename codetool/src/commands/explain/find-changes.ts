import { realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { findWorkTree, type LineHistory, readLineHistory } from "../../git/index.ts";
import type { CommandContext } from "../command.ts";

/** Commits that are shown at most. */
const commitCountMax = 5;
/** How long git may look for them: lines that are as old as a long history take longer. */
const timeoutMs = 3000;

/** What is known of the latest commits. */
export interface FoundChanges {
  readonly history: LineHistory;
  readonly warnings: readonly string[];
}

/**
 * Finds the latest commits that changed some lines of a file.
 *
 * @returns None outside of a git work tree and for a file that git does not track. Where git fails or takes too long, a
 *   remark says so.
 */
export async function findChanges(
  absolutePath: string,
  lines: { readonly start1: number; readonly end1: number },
  { environment }: CommandContext,
): Promise<FoundChanges> {
  const none: LineHistory = { commits: [], isUncommitted: false };
  try {
    const tree = findWorkTree(dirname(absolutePath), environment);
    if (tree === undefined) return { history: none, warnings: [] };
    const path = relative(tree.root, realpathSync(absolutePath)).replaceAll(sep, "/");
    const options = { countMax: commitCountMax, timeoutMs };
    const history = await readLineHistory(tree, { path, ...lines }, options);
    return { history: history ?? none, warnings: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { history: none, warnings: [`The latest commits are not known: ${reason}`] };
  }
}
