import { splitAtNul } from "./split-at-nul.ts";
import { gitFailure, outputOf } from "./failure.ts";
import { type Revision, revisionArguments, revisionText } from "./revision.ts";
import type { WorkTree } from "./work-tree.ts";

/** The options of one `git diff`. */
export interface DiffQuestion {
  readonly revision: Revision;
  readonly isStaged: boolean;
  /** Relative to the root. */
  readonly paths: readonly string[];
  /** The form of the answer, as options of `git diff`; entries end by NUL in any form. */
  readonly form: readonly string[];
}

/** Settled, whatever the user's and the repository's configuration say; what decides which lines differ is left to them. */
const settledForm = [
  "-z",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--find-renames",
  "-O/dev/null",
];

/**
 * Records and a patch, with one line of context. Without context git drops the common end of both files before it compares
 * them, and then sometimes finds other changed lines than in its other outputs.
 */
export const patchForm: readonly string[] = [
  "--raw",
  "--no-abbrev",
  "--patch",
  "--full-index",
  "--unified=1",
  "--inter-hunk-context=0",
  "--submodule=short",
];

/**
 * Runs `git diff`. Before the first commit HEAD means a tree without files.
 *
 * @throws git_error with git's first line.
 */
export async function diffAgainst(tree: WorkTree, question: DiffQuestion): Promise<Buffer> {
  const { revision } = question;
  const action = `compare with "${revisionText(revision)}"`;
  const ask = async (names: readonly string[]): ReturnType<WorkTree["ask"]> =>
    await tree.ask([
      "diff",
      ...settledForm,
      ...question.form,
      ...(question.isStaged ? ["--cached"] : []),
      ...names,
      "--",
      ...question.paths.map(literalPath),
    ]);
  const answer = await ask(revisionArguments(revision));
  const isRefused = answer.kind === "ended" && answer.exitCode !== 0;
  if (!isRefused || revision.kind !== "one" || revision.name !== "HEAD") {
    return outputOf(answer, action);
  }
  const empty = await emptyTreeBeforeFirstCommit(tree);
  if (empty === undefined) throw gitFailure(answer, action);
  return outputOf(await ask([empty]), action);
}

/** The id of the tree without files when HEAD is a branch that has no commit yet. */
async function emptyTreeBeforeFirstCommit(tree: WorkTree): Promise<string | undefined> {
  const [head, branch] = await Promise.all([
    tree.ask(["rev-parse", "--verify", "--quiet", "HEAD"]),
    tree.ask(["symbolic-ref", "--quiet", "HEAD"]),
  ]);
  const isUnborn =
    head.kind === "ended" &&
    head.exitCode !== 0 &&
    branch.kind === "ended" &&
    branch.exitCode === 0;
  return isUnborn ? await emptyTree(tree) : undefined;
}

/** The id of the tree without files, which depends on how the repository hashes; git knows it without having it. */
export async function emptyTree(tree: WorkTree): Promise<string> {
  const answer = await tree.ask(["hash-object", "-t", "tree", "--stdin"]);
  return outputOf(answer, "name the empty tree").toString("latin1").trim();
}

/** Lists the files that git does not know and that no ignore rule names, by path; a folder with a repository of its own ends with a slash. */
export async function untrackedPaths(
  tree: WorkTree,
  paths: readonly string[],
): Promise<readonly Buffer[]> {
  const answer = await tree.ask([
    "ls-files",
    "--others",
    "--exclude-standard",
    "-z",
    "--",
    ...paths.map(literalPath),
  ]);
  return splitAtNul(outputOf(answer, "list untracked files"));
}

/** A path, not a pattern, from the root on. */
export function literalPath(path: string): string {
  return `:(top,literal)${path}`;
}
