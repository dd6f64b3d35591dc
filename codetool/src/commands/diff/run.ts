import { join } from "node:path";
import { errors, estimateTokens } from "../../envelope/index.ts";
import {
  type ChangedFile,
  type FileSide,
  isPathIn,
  isRevision,
  openWorkTree,
  parseRevision,
  readChanges,
  type Revision,
  type WorkTree,
} from "../../git/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { foundElsewhere } from "../found-elsewhere.ts";
import { compareChanges } from "./compare.ts";
import type { DiffInput } from "./input.ts";
import { type DiffPayload, diffPayload } from "./payload.ts";
import { displayPath, displayRoot, notFound } from "../paths.ts";
import { type DiffTarget, resolveDiffTarget } from "./target.ts";
import { remarkOnSize } from "../large-answer.ts";
import { readSettings } from "../settings.ts";

/**
 * Answers `diff`.
 *
 * @throws file_not_found, permission_denied, invalid_argument, git_error.
 */
export async function runDiff(
  input: DiffInput,
  context: CommandContext,
): Promise<CommandResult<DiffPayload>> {
  const { since = "HEAD", file: argument } = input;
  const revision = parseRevision(since);
  const isStaged = input.staged === true;
  if (isStaged && revision.kind === "two")
    throw new errors.invalid_argument({
      argument: `since ${since}`,
      reason: "what is staged is compared with one commit",
    });
  if (input.functions === true && input.stat_only === true)
    throw new errors.invalid_argument({
      argument: "functions",
      reason: "stat_only lists no functions: one of the two",
    });
  const { environment } = context;
  const action = `compare with "${since}"`;
  const target = resolveDiffTarget(argument, { context, action });
  const tree = openWorkTree(target.folder, { environment, action });
  const { fileSizeBytesMax } = readSettings(environment);
  const paths = target.path === undefined ? [] : [target.path];
  const changes = await readChanges(tree, { revision, isStaged, paths, fileSizeBytesMax });
  if (changes.length === 0 && !target.isThere)
    await requireKnown(tree, { target, revision, argument, context });
  const warnings = remarksOnNames(changes);
  const files = await compareChanges(tree, changes, {
    // Git ends the name of a folder, a repository inside, with a slash.
    shownPathOf: (path) =>
      `${displayPath(target, join(tree.root, path))}${path.endsWith("/") ? "/" : ""}`,
    fileSizeBytesMax,
    warnings,
  });
  // The notes say it where there are some.
  if (input.stat_only === true)
    for (const { path, change } of files)
      if (change.leftOut !== undefined)
        warnings.push(`The lines of "${path}" are not counted: ${change.leftOut}`);
  const data = await diffPayload(files, { ...input, root: displayRoot(tree) });
  warnings.push(...remarksOnSize(input, data, context));
  const unixOutput = { way: "git_diff", sizeBytes: patchSizeOf(changes) } as const;
  return { data, unixOutput, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** What `git diff` prints of the changes at least: changed lines and the heads of files, without the lines around. */
function patchSizeOf(changes: readonly ChangedFile[]): number {
  let sizeBytes = 0;
  for (const { status, old, new: now, blocks } of changes) {
    // A file that git does not know is for `cat`; the name of any other is in four lines.
    if (status !== "untracked") sizeBytes += 4 * ((now ?? old)?.path.length ?? 0) + 60;
    for (const { oldLines, newLines } of blocks) {
      sizeBytes += status === "untracked" ? 0 : 20;
      for (const line of oldLines) sizeBytes += line.length + 2;
      for (const line of newLines) sizeBytes += line.length + 2;
    }
  }
  return sizeBytes;
}

function remarksOnSize(
  { budget, stat_only, functions }: DiffInput,
  data: DiffPayload,
  { isPlain }: CommandContext,
): string[] {
  if (budget !== undefined || isPlain === true) return [];
  return remarkOnSize(estimateTokens(JSON.stringify(data)), [
    "a file or a folder for a part",
    ...(functions === true || stat_only === true
      ? []
      : ["--functions or --stat-only without lines"]),
    "--budget 2000 for what fits",
  ]);
}

/** A name that is not UTF-8 cannot be written in JSON, and so cannot be given back. */
function remarksOnNames(changes: readonly ChangedFile[]): string[] {
  const isOdd = (side: FileSide | undefined): boolean =>
    side !== undefined && !Buffer.from(side.path).equals(side.pathBytes);
  const count = changes.filter((change) => isOdd(change.old) || isOdd(change.new)).length;
  if (count === 0) return [];
  const has = count === 1 ? "1 file has a name that is" : `${count} files have names that are`;
  return [`${has} not UTF-8: it is shown with U+FFFD, and names no file`];
}

/** A path that is not there and did not change either may be a mistake. */
async function requireKnown(
  tree: WorkTree,
  asked: {
    readonly target: DiffTarget;
    readonly revision: Revision;
    readonly argument: string | undefined;
    readonly context: CommandContext;
  },
): Promise<void> {
  const { target, revision, argument = ".", context } = asked;
  if (await isPathIn(tree, revision, target.path ?? "")) return;
  const fromRoot = argument.replace(/^(?:\.\/)+/, "");
  // A deleted file, by its path from the root.
  if (target.shownFrom !== undefined && (await isPathIn(tree, revision, fromRoot)))
    throw foundElsewhere(argument, {
      place: "at the root of the tree",
      path: displayPath(target, join(tree.root, fromRoot)),
    });
  if (await isOfRevisions(tree, argument))
    throw new errors.file_not_found({
      path: argument,
      reason: "it is a commit, and no file or folder",
      remedy: `Compare with it by \`--since ${argument}\``,
    });
  throw notFound(argument, context);
}

/** Whether what was meant as a path names states of git. */
async function isOfRevisions(tree: WorkTree, argument: string): Promise<boolean> {
  if (/^[-^]|:|\s/.test(argument)) return false;
  const revision = parseRevision(argument);
  const names = revision.kind === "one" ? [revision.name] : [revision.from, revision.to];
  for (const name of names) if (!(await isRevision(tree, name))) return false;
  return true;
}
