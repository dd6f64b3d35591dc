import { existsSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../../envelope/index.ts";
import { type WalkedFile, walkFiles } from "../../files/index.ts";
import { hasMatch, literalScanner } from "../../search/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import {
  type CorpusFile,
  type IndexedCorpus,
  type OpenCorpus,
  pathsBelow,
} from "../../store/index.ts";
import { leavingDamageAside, openIndexOf } from "../open-index.ts";
import { remarksOnFile } from "../open-file.ts";
import { remarksOnLeftOut } from "../left-out.ts";
import { isWithin, locate, realPathOf } from "../locate.ts";
import { displayPath, resolveTarget, type Target } from "../paths.ts";
import { readSettings } from "../settings.ts";
import type { ExistsInput } from "./input.ts";
import { lookInto } from "./look-into.ts";
import type { ExistsPayload } from "./payload.ts";

/** A text of fewer bytes has no trigram that the index could know. */
const patternBytesMin = 3;
/** Bytes of files that are read to confirm a likely match of the index; takes a few milliseconds. */
const confirmedBytesMax = 4 * 1024 * 1024;

/**
 * Tells whether a text is in a file, or a path is there. "No" is certain; it is `probable`, with a warning, where files could
 * not be looked into. Large and binary files, which searches leave out, are looked into. When the index says that
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
  const { fileSizeBytesMax } = readSettings(context.environment);
  const warnings: string[] = [];
  const answer = (
    exists: boolean,
    confidence: ExistsPayload["confidence"],
  ): CommandResult<ExistsPayload> => ({
    data: { exists, confidence, pattern },
    ...(warnings.length === 0 ? {} : { warnings }),
  });
  /** The answer where no text has it: what searches leave out is looked into too. */
  const deny = (leftOut: LeftOutFiles): CommandResult<ExistsPayload> => {
    const mayShow = ({ absolutePath }: WalkedFile): boolean =>
      context.mayShow?.(absolutePath) ?? true;
    const large = leftOut.large.filter(mayShow);
    const shown = (file: WalkedFile): string => displayPath(target, file.absolutePath);
    const { holder, rest } = lookInto(pattern, [...large, ...leftOut.binary.filter(mayShow)]);
    if (holder !== undefined) {
      const kind = large.includes(holder) ? `larger than ${fileSizeBytesMax} bytes` : "binary";
      warnings.push(
        `Searches leave out the file that holds it, which is ${kind}: "${shown(holder)}"`,
      );
      return answer(true, "exact");
    }
    const isLarge = (file: WalkedFile): boolean => large.includes(file);
    const unread = {
      large: rest.filter(isLarge).map(shown),
      binary: rest.filter((file) => !isLarge(file)).map(shown),
    };
    warnings.push(...remarksOnLeftOut(unread, fileSizeBytesMax));
    // Whatever was not looked into is among the warnings.
    return answer(false, warnings.length === 0 ? "exact" : "probable");
  };
  if (isPath(pattern, target, context)) return answer(true, "exact");
  const held = await askIndex(pattern, target, context);
  if (held === "yes") return answer(true, "exact");
  if (held === "probably" && input.exact !== true) return answer(true, "probable");
  if (typeof held === "object") return deny(held);
  // Refuses a file that may not be read; that it is binary needs no remark, because it is looked into.
  remarksOnFile(target, argument, context);
  const walked = walkFiles({
    root: target.absolutePath,
    environment: context.environment,
    sizeBytesMax: fileSizeBytesMax,
  });
  warnings.push(...walked.warnings);
  const found = hasMatch(walked.files, literalScanner(pattern));
  if (found.unreadableCount > 0) warnings.push(`${found.unreadableCount} files could not be read`);
  if (found.isFound) return answer(true, "exact");
  return deny({ large: walked.leftOut, binary: found.binaryFiles });
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

/** Files that searches leave out. */
interface LeftOutFiles {
  readonly large: readonly WalkedFile[];
  readonly binary: readonly WalkedFile[];
}

/**
 * The answer of the index and of the files that it names: what else is to be looked into where no text has it; `undefined`
 * if there is no index, or it cannot be sure.
 */
async function askIndex(
  pattern: string,
  target: Target,
  context: CommandContext,
): Promise<"probably" | "yes" | LeftOutFiles | undefined> {
  if (Buffer.byteLength(pattern) < patternBytesMin) return undefined;
  const found = await openIndexOf(target, context);
  if (found === undefined) return undefined;
  const { root } = found;
  using open = found.open;
  // A text of several lines may occur with either kind of line break.
  const isHeld = literalScanner(pattern).required.some((text) => open.mayHold(text.toString()));
  // A file that was not read may hold it, and files in an ignored folder are in no index.
  const isSure = open.isWhole && isCovered(open.corpus, root, target);
  // Outside of git, ignore files above the folder that is asked about do not count.
  const isSameWalk = target.absolutePath === root || existsSync(join(root, ".git"));
  const leftOut = isSure && isSameWalk ? leftOutOf({ root, target, open }) : undefined;
  if (!isHeld) return leftOut;
  const confirmed = confirm(pattern, filesToLookAt(pattern, { root, target, corpus: open.corpus }));
  return confirmed === "no" ? (leftOut ?? "probably") : confirmed;
}

/** The files at and below the target that may hold a text, the smallest first. */
function filesToLookAt(
  pattern: string,
  at: { readonly root: string; readonly target: Target; readonly corpus: IndexedCorpus },
): WalkedFile[] {
  const { root, target, corpus } = at;
  const groups = literalScanner(pattern).required.map((text) => [text]);
  const mayHold = corpus.filesThatMayHold(groups);
  const { start, end } = rangeOf(corpus, root, target);
  const absolutePathOf = pathsBelow(root);
  const files: WalkedFile[] = [];
  for (let number = start; number < end; number += 1)
    if (mayHold[number] !== 0) files.push(walked(corpus.file(number), absolutePathOf));
  return files.sort((left, right) => left.sizeBytes - right.sizeBytes);
}

/** The numbers of the files at and below the target. */
function rangeOf(
  corpus: IndexedCorpus,
  root: string,
  target: Target,
): { readonly start: number; readonly end: number } {
  if (target.absolutePath === root) return { start: 0, end: corpus.fileCount };
  const below = relativeTo(root, target);
  const own = corpus.numberOf(below);
  if (own !== undefined) return { start: own, end: own + 1 };
  // "0" is what comes behind "/".
  return { start: corpus.firstFrom(`${below}/`), end: corpus.firstFrom(`${below}0`) };
}

function walked(
  { path, sizeBytes, modifiedMs, language }: CorpusFile & { readonly modifiedMs: number },
  absolutePathOf: (path: string) => string,
): WalkedFile {
  return {
    absolutePath: absolutePathOf(path),
    relativePath: path,
    sizeBytes,
    modifiedMs,
    language,
  };
}

/** The files at and below the target that the index has only the names of. */
function leftOutOf(at: {
  readonly root: string;
  readonly target: Target;
  readonly open: OpenCorpus;
}): LeftOutFiles {
  const { root, target, open } = at;
  const { corpus } = open;
  const { start, end } = rangeOf(corpus, root, target);
  const absolutePathOf = pathsBelow(root);
  const binary: WalkedFile[] = [];
  for (let number = start; number < end; number += 1) {
    const file = corpus.file(number);
    if (!file.isText) binary.push(walked(file, absolutePathOf));
  }
  const prefix = target.absolutePath === root ? "" : `${relativeTo(root, target)}/`;
  return {
    large: open.leftOut.filter(({ relativePath }) => relativePath.startsWith(prefix)),
    binary,
  };
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
