import { existsSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../../envelope/index.ts";
import { type WalkedFile, walkFiles } from "../../files/index.ts";
import { hasMatch, literalScanner } from "../../search/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { type IndexedCorpus, pathsBelow } from "../../store/index.ts";
import { leavingDamageAside, openIndexOf } from "../open-index.ts";
import { remarksOnFile } from "../open-file.ts";
import { isWithin, locate, realPathOf } from "../locate.ts";
import { resolveTarget, type Target } from "../paths.ts";
import { readSettings } from "../settings.ts";
import type { ExistsInput } from "./input.ts";
import type { ExistsPayload } from "./payload.ts";

/** A text of fewer bytes has no trigram that the index could know. */
const patternBytesMin = 3;
/** Bytes of files that are read to confirm a likely match of the index; takes a few milliseconds. */
const confirmedBytesMax = 4 * 1024 * 1024;

/**
 * Tells whether a text is in a file, or a path is there. "No" is always certain. When the index says that
 * a text is likely there, the files that may hold it are read, the smallest first, up to a small number of bytes. "Yes"
 * is `exact` when the text was found, and `probable` when there would have been more to read.
 *
 * @throws file_not_found, permission_denied; invalid_argument for an empty pattern.
 */
export async function runExists(
  input: ExistsInput,
  context: CommandContext,
): Promise<CommandResult<ExistsPayload>> {
  return await leavingDamageAside(context, async (own) => await tellExistence(input, own));
}

async function tellExistence(
  input: ExistsInput,
  context: CommandContext,
): Promise<CommandResult<ExistsPayload>> {
  const { pattern, path: argument = "." } = input;
  if (pattern === "")
    throw new errors.invalid_argument({ argument: "pattern", reason: "it is empty" });
  const target = resolveTarget(argument, context);
  const warnings: string[] = [];
  const answer = (
    exists: boolean,
    confidence: ExistsPayload["confidence"],
  ): CommandResult<ExistsPayload> => ({
    data: { exists, confidence, pattern },
    ...(warnings.length === 0 ? {} : { warnings }),
  });
  if (isPath(pattern, target, context)) return answer(true, "exact");
  const held = await askIndex(pattern, target, context);
  if (held === "no") return answer(false, "exact");
  if (held === "yes") return answer(true, "exact");
  if (held === "probably" && input.exact !== true) return answer(true, "probable");
  warnings.push(...remarksOnFile(target, argument, context));
  const walked = walkFiles({
    root: target.absolutePath,
    environment: context.environment,
    sizeBytesMax: readSettings(context.environment).fileSizeBytesMax,
  });
  warnings.push(...walked.warnings);
  const { isFound, unreadableCount } = hasMatch(walked.files, literalScanner(pattern));
  if (unreadableCount > 0) warnings.push(`${unreadableCount} files could not be read`);
  return answer(isFound, "exact");
}

/**
 * A pattern may name a file or folder of the target's tree: from the target, or as paths of answers do, from the working
 * directory or absolute.
 */
function isPath(
  pattern: string,
  { absolutePath, isDirectory, root }: Target,
  { mayShow, workingDirectory }: CommandContext,
): boolean {
  if (!isDirectory || pattern.trim() === "" || /(?:^|[/\\])\.{0,2}$/.test(pattern)) return false;
  return [absolutePath, realPathOf(workingDirectory)].some((folder) => {
    const path = locate(pattern, folder);
    return isWithin(path, root) && existsSync(path) && (mayShow?.(path) ?? true);
  });
}

/** The answer of the index and of the files that it names; `undefined` if there is no index, or it cannot be sure. */
async function askIndex(
  pattern: string,
  target: Target,
  context: CommandContext,
): Promise<"no" | "probably" | "yes" | undefined> {
  if (Buffer.byteLength(pattern) < patternBytesMin) return undefined;
  const found = await openIndexOf(target, context);
  if (found === undefined) return undefined;
  const { root } = found;
  using open = found.open;
  // A text of several lines may occur with either kind of line break.
  const isHeld = literalScanner(pattern).required.some((text) => open.mayHold(text.toString()));
  // A file that was not read may hold it, and files in an ignored folder are in no index.
  const isSure = open.warnings.length === 0 && isCovered(open.corpus, root, target);
  if (!isHeld) return isSure ? "no" : undefined;
  const confirmed = confirm(pattern, filesToLookAt(pattern, { root, target, corpus: open.corpus }));
  if (confirmed !== "no") return confirmed;
  // Outside of git, ignore files above the folder that is asked about do not count.
  const isSameWalk = target.absolutePath === root || existsSync(join(root, ".git"));
  return isSure && open.isWhole && isSameWalk ? "no" : "probably";
}

/** The files at and below the target that may hold a text, the smallest first. */
function filesToLookAt(
  pattern: string,
  at: { readonly root: string; readonly target: Target; readonly corpus: IndexedCorpus },
): WalkedFile[] {
  const { root, target, corpus } = at;
  const groups = literalScanner(pattern).required.map((text) => [text]);
  const mayHold = corpus.filesThatMayHold(groups);
  const below = target.absolutePath === root ? "" : relativeTo(root, target);
  const own = below === "" ? undefined : corpus.numberOf(below);
  const start = own ?? (below === "" ? 0 : corpus.firstFrom(`${below}/`));
  // "0" is what comes behind "/".
  const end =
    own === undefined ? (below === "" ? corpus.fileCount : corpus.firstFrom(`${below}0`)) : own + 1;
  const absolutePathOf = pathsBelow(root);
  const files: WalkedFile[] = [];
  for (let number = start; number < end; number += 1) {
    if (mayHold[number] === 0) continue;
    const { path, sizeBytes, modifiedMs, language } = corpus.file(number);
    const absolutePath = absolutePathOf(path);
    files.push({ absolutePath, relativePath: path, sizeBytes, modifiedMs, language });
  }
  return files.sort((left, right) => left.sizeBytes - right.sizeBytes);
}

function confirm(pattern: string, files: readonly WalkedFile[]): "no" | "probably" | "yes" {
  let sumBytes = 0;
  const little = files.filter(({ sizeBytes }) => (sumBytes += sizeBytes) <= confirmedBytesMax);
  const { isFound, unreadableCount } = hasMatch(little, literalScanner(pattern));
  if (isFound) return "yes";
  return little.length === files.length && unreadableCount === 0 ? "no" : "probably";
}

/** True when the index covers what is asked about: the root, or something that it has files of. */
function isCovered(corpus: IndexedCorpus, root: string, target: Target): boolean {
  if (target.absolutePath === root) return true;
  const relative = relativeTo(root, target);
  const below = corpus.firstFrom(`${relative}/`);
  const isFolder = below < corpus.fileCount && corpus.pathOf(below).startsWith(`${relative}/`);
  return isFolder || corpus.numberOf(relative) !== undefined;
}

function relativeTo(root: string, { absolutePath }: Target): string {
  return absolutePath.slice(root.length + 1).replaceAll("\\", "/");
}
