import { existsSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../envelope/index.ts";
import { walkFiles } from "../files/index.ts";
import { hasMatch, literalScanner } from "../search/index.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import type { IndexedCorpus } from "../store/index.ts";
import { leavingDamageAside, openIndexOf } from "./open-index.ts";
import { remarksOnFile } from "./open-file.ts";
import { resolveTarget, type Target } from "./paths.ts";
import { readSettings } from "./settings.ts";

/** A text of fewer bytes has no trigram that the index could know. */
const patternBytesMin = 3;

/**
 * Tells whether a text stands in a file, or a path is there. "No" is always certain; "yes" is `probable` when the index
 * alone says so, and `exact` when it was looked up.
 *
 * @throws file_not_found, permission_denied; invalid_argument for an empty pattern.
 */
export async function runExists(
  input: CommandInput,
  context: CommandContext,
): Promise<CommandResult> {
  return await leavingDamageAside(context, async (own) => await tellExistence(input, own));
}

async function tellExistence(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const pattern = String(input["pattern"]);
  if (pattern === "")
    throw new errors.invalid_argument({ argument: "pattern", reason: "it is empty" });
  const argument = String(input["path"] ?? ".");
  const target = resolveTarget(argument, context);
  const warnings: string[] = [];
  const answer = (exists: boolean, confidence: "exact" | "probable"): CommandResult => ({
    data: { exists, confidence, pattern },
    ...(warnings.length === 0 ? {} : { warnings }),
  });
  if (isPath(pattern, target, context)) return answer(true, "exact");
  const held = await holdsLikely(pattern, target, context);
  if (held === false) return answer(false, "exact");
  if (held === true && input["exact"] !== true) return answer(true, "probable");
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

/** A pattern may name a file or folder below the target. */
function isPath(
  pattern: string,
  { absolutePath, isDirectory }: Target,
  { mayShow }: CommandContext,
): boolean {
  if (!isDirectory || pattern.trim() === "" || pattern.startsWith("/")) return false;
  if (pattern.split(/[/\\]/).some((part) => part === ".." || part === ".")) return false;
  const path = join(absolutePath, pattern);
  return existsSync(path) && (mayShow?.(path) ?? true);
}

/** What the index says; `undefined` where there is none, or it cannot be sure. */
async function holdsLikely(
  pattern: string,
  target: Target,
  context: CommandContext,
): Promise<boolean | undefined> {
  if (Buffer.byteLength(pattern) < patternBytesMin) return undefined;
  const found = await openIndexOf(target, context);
  if (found === undefined) return undefined;
  const { root } = found;
  using open = found.open;
  // Over lines a text may stand with one line break or the other.
  const isHeld = literalScanner(pattern).required.some((text) => open.mayHold(text.toString()));
  // What was not looked at may hold it; and what lies in an ignored folder is in no index.
  if (!isHeld && (open.warnings.length > 0 || !isCovered(open.corpus, root, target)))
    return undefined;
  return isHeld;
}

/** True when the index covers what is asked about: the root, or something that it has files of. */
function isCovered(corpus: IndexedCorpus, root: string, { absolutePath }: Target): boolean {
  if (absolutePath === root) return true;
  const relative = absolutePath.slice(root.length + 1).replaceAll("\\", "/");
  const below = corpus.firstFrom(`${relative}/`);
  const isFolder = below < corpus.fileCount && corpus.pathOf(below).startsWith(`${relative}/`);
  return isFolder || corpus.numberOf(relative) !== undefined;
}
