import { splitAtNul } from "./split-at-nul.ts";
import { diffAgainst, emptyTree, untrackedPaths } from "./diff-against.ts";
import { outputOf } from "./failure.ts";
import { both } from "./both.ts";
import type { Revision } from "./revision.ts";
import type { WorkTree } from "./work-tree.ts";

/** Paths relative to the root, as bytes, each once. */
export interface ChangedPaths {
  /** Files that differ between commits. */
  readonly committed: readonly Buffer[];
  /** Files of the working tree that differ from what is committed. */
  readonly working: readonly Buffer[];
  readonly untracked: readonly Buffer[];
}

const nameForm = ["--name-only", "--no-renames"];

/**
 * Lists what changed since a moment: files of younger commits in HEAD's history, and all files that are not committed.
 * When those were written, only the file system knows.
 *
 * @param sinceMs Milliseconds since 1970.
 * @throws git_error.
 */
export async function listPathsSince(tree: WorkTree, sinceMs: number): Promise<ChangedPaths> {
  const head: Revision = { kind: "one", name: "HEAD" };
  const question = { isStaged: false, paths: [], form: nameForm };
  const [committed, [working, untracked]] = await both(
    committedSince(tree, sinceMs),
    both(diffAgainst(tree, { ...question, revision: head }), untrackedPaths(tree, [])),
  );
  return { committed, working: splitAtNul(working), untracked };
}

async function committedSince(tree: WorkTree, sinceMs: number): Promise<readonly Buffer[]> {
  const head = await tree.ask(["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (head.kind === "ended" && head.exitCode !== 0) return [];
  const action = "list what changed";
  // A commit of that very second has not changed since.
  const before = `--before=${Math.floor(sinceMs / 1000)}`;
  const last = outputOf(await tree.ask(["rev-list", "-1", before, "HEAD", "--"]), action);
  const base = last.length > 0 ? last.toString("latin1").trim() : await emptyTree(tree);
  const revision: Revision = { kind: "two", from: base, to: "HEAD", isFromFork: false };
  const question = { revision, isStaged: false, paths: [], form: nameForm };
  return splitAtNul(await diffAgainst(tree, question));
}

/** Tells whether a name is that of a commit, a branch or a tag. */
export async function isRevision(tree: WorkTree, name: string): Promise<boolean> {
  const answer = await tree.ask(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  return answer.kind === "ended" && answer.exitCode === 0;
}

/**
 * Lists the files that differ, without their lines: between two states, or between one and the working tree with its
 * untracked files. A renamed file is listed with both paths.
 *
 * @returns Paths relative to the root, as bytes, each once.
 * @throws git_error.
 */
export async function listChangedPaths(
  tree: WorkTree,
  revision: Revision,
): Promise<Pick<ChangedPaths, "committed" | "untracked">> {
  const question = { revision, isStaged: false, paths: [] };
  const [output, untracked] = await both(
    diffAgainst(tree, { ...question, form: nameForm }),
    revision.kind === "one" ? untrackedPaths(tree, []) : Promise.resolve([]),
  );
  return { committed: splitAtNul(output), untracked };
}
