import { errors } from "../../envelope/index.ts";
import {
  type ChangedFile,
  type FileSide,
  isPathIn,
  openWorkTree,
  parseRevision,
  readChanges,
  type Revision,
  type WorkTree,
} from "../../git/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { compareChanges } from "./compare.ts";
import type { DiffInput } from "./input.ts";
import { type DiffPayload, diffPayload } from "./payload.ts";
import { type DiffTarget, resolveDiffTarget } from "./target.ts";
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
  const request = { revision, isStaged, paths: target.paths, fileSizeBytesMax };
  const changes = onlyMeant(await readChanges(tree, request), target);
  if (changes.length === 0 && !target.isThere)
    await requireKnown(tree, { target, revision, argument });
  const warnings: string[] = [];
  const files = await compareChanges(tree, changes, {
    prefix: target.prefix,
    fileSizeBytesMax,
    warnings,
  });
  const data = await diffPayload(files, input);
  return warnings.length === 0 ? { data } : { data, warnings };
}

/** Of several guesses at a path the first that changed is meant. */
function onlyMeant(changes: readonly ChangedFile[], target: DiffTarget): readonly ChangedFile[] {
  if (target.paths.length < 2) return changes;
  const isUnder = (side: FileSide | undefined, path: string): boolean =>
    side !== undefined && (side.path === path || side.path.startsWith(`${path}/`));
  for (const path of target.paths) {
    const found = changes.filter((file) => isUnder(file.old, path) || isUnder(file.new, path));
    if (found.length > 0) return found;
  }
  return changes;
}

/** A path that is not there and did not change either may be a mistake. */
async function requireKnown(
  tree: WorkTree,
  asked: {
    readonly target: DiffTarget;
    readonly revision: Revision;
    readonly argument: string | undefined;
  },
): Promise<void> {
  const { target, revision, argument } = asked;
  const isKnown = await Promise.all(
    target.paths.map(async (path) => await isPathIn(tree, revision, path)),
  );
  if (!isKnown.includes(true)) throw new errors.file_not_found({ path: argument ?? "." });
}
