import { realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { errors } from "../../envelope/index.ts";
import {
  findWorkTree,
  isRevision,
  listChangedPaths,
  listPathsSince,
  openWorkTree,
  parseMoment,
  parseRevision,
  type WorkTree,
} from "../../git/index.ts";
import type { CommandContext } from "../command.ts";
import type { Target } from "../paths.ts";
import { wallClockMs } from "../../system/index.ts";

/** Tells whether a file of a walk changed. */
export type ChangedTest = (file: {
  /** Relative to the folder that is walked, with forward slashes. */
  readonly relativePath: string;
  readonly modifiedMs: number;
}) => boolean;

/**
 * Makes the test for `--changed-since`.
 *
 * A commit, branch or tag: what differs from it in the working tree, untracked files too; `A..B`: what differs between
 * both. A moment: what younger commits changed, and what is not committed and was written since; outside of a git
 * work tree what was written since. A name that could be both is the branch or tag.
 *
 * @throws git_error for a name that git does not know; invalid_argument for what is neither a name nor a moment.
 */
export async function makeChangedTest(
  value: string,
  target: Target,
  context: CommandContext,
): Promise<ChangedTest> {
  const { environment } = context;
  const action = `list what changed since "${value}"`;
  const folder = target.isDirectory ? target.absolutePath : dirname(target.absolutePath);
  const momentMs = parseMoment(value, wallClockMs());
  if (momentMs === undefined) {
    const revision = parseRevision(value, "changed_since");
    const tree = openWorkTree(folder, { environment, action });
    const { committed, untracked } = await listChangedPaths(tree, revision).catch(
      (error: unknown) => {
        throw refusalOf(error, value);
      },
    );
    return testOf([...committed, ...untracked], tree, target);
  }
  const tree = findWorkTree(folder, environment);
  if (tree === undefined) return ({ modifiedMs }) => modifiedMs >= momentMs;
  // A tag may be named like a date.
  if (/^[\w.-]+$/.test(value) && (await isRevision(tree, value))) {
    const { committed, untracked } = await listChangedPaths(tree, parseRevision(value));
    return testOf([...committed, ...untracked], tree, target);
  }
  const { committed, working, untracked } = await listPathsSince(tree, momentMs);
  const isCommitted = testOf(committed, tree, target);
  const isOpen = testOf([...working, ...untracked], tree, target);
  return (file) => isCommitted(file) || (file.modifiedMs >= momentMs && isOpen(file));
}

/** A name that git does not know may have been meant as a time. */
function refusalOf(error: unknown, value: string): unknown {
  const isUnknown = error instanceof Error && /bad revision|unknown revision/.test(error.message);
  if (!isUnknown) return error;
  return new errors.git_error(
    {
      action: `list what changed since "${value}"`,
      reason:
        "there is no such commit, branch or tag, and it is not a time such as 2d or 2026-01-31",
    },
    { cause: error },
  );
}

function testOf(paths: readonly Buffer[], tree: WorkTree, target: Target): ChangedTest {
  const changed = new Set(paths.map((path) => path.toString("utf8")));
  const way = relative(tree.root, realpathSync(target.absolutePath)).split(sep).join("/");
  const prefix = way === "" ? "" : `${way}/`;
  return target.isDirectory
    ? ({ relativePath }) => changed.has(`${prefix}${relativePath}`)
    : () => changed.has(way);
}
