import { errors } from "../../envelope/index.ts";
import { languageOfPath, languageOfShebang, readFileBytes, walkFiles } from "../../files/index.ts";
import { extractSymbols, hasSymbols, releaseTrees } from "../../syntax/index.ts";
import { loadTokenCounter, readableText } from "../../text/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import {
  budgetedPayload,
  type FileSymbols,
  nestSymbols,
  type OutlinePayload,
  type OutlineSelection,
  selectSymbols,
} from "./payload.ts";
import type { OutlineInput } from "./input.ts";
import { remarksOnLeftOut } from "../left-out.ts";
import { displayPath, displayRoot, resolveTarget, type Target } from "../paths.ts";
import { readSettings } from "../settings.ts";
import { remarksOnSymbols } from "../symbols-left-out.ts";

/** A file that the caller names is read up to this size, even if walks would skip it. */
const namedFileSizeBytesMax = 64 * 1024 * 1024;

/**
 * Outlines a file or a directory.
 *
 * @throws file_not_found, permission_denied, parse_error for a binary file or one that is too large.
 */
export async function runOutline(
  request: OutlineInput,
  context: CommandContext,
): Promise<CommandResult<OutlinePayload>> {
  const target = resolveTarget(request.path, context);
  return target.isDirectory
    ? outlineDirectory(target, request, context)
    : outlineFile(target, request);
}

async function outlineFile(
  target: Target,
  request: OutlineInput,
): Promise<CommandResult<OutlinePayload>> {
  const file = displayPath(target, target.absolutePath);
  const text = readNamedFile(target.absolutePath, request.path);
  const language = languageOfPath(target.absolutePath) ?? languageOfShebang(text);
  const warnings: string[] = [];
  let found: FileSymbols = { symbols: [] };
  if (language !== null && hasSymbols(language)) {
    const extracted = extractSymbols(text, language);
    found = { symbols: extracted.symbols };
    if (extracted.hasErrors)
      warnings.push("the file has syntax errors; symbols around them are listed");
    warnings.push(...remarksOnSymbols(extracted, file));
  } else {
    warnings.push(`no symbols are known for ${language ?? "files of this kind"}`);
  }
  const kind = kindOf(request);
  const selection: OutlineSelection = {
    ...(kind === undefined ? {} : { kind }),
    ...(request.depth === undefined ? {} : { nestingMax: request.depth }),
  };
  const head = { root: displayRoot(target), file, language };
  const result = await finish({ head, files: [found], selection, request, warnings });
  // Only who reads the file knows what is in it, and where each part ends.
  return { ...result, unixOutput: { way: "cat", sizeBytes: Buffer.byteLength(text) } };
}

async function outlineDirectory(
  target: Target,
  request: OutlineInput,
  context: CommandContext,
): Promise<CommandResult<OutlinePayload>> {
  const settings = readSettings(context.environment);
  const walked = walkFiles({
    root: target.absolutePath,
    environment: context.environment,
    sizeBytesMax: settings.fileSizeBytesMax,
    ...(request.depth === undefined ? {} : { depthMax: request.depth }),
  });
  const large = walked.leftOut
    .filter(({ language }) => hasSymbols(language))
    .map(({ absolutePath }) => displayPath(target, absolutePath));
  const warnings = [
    ...walked.warnings,
    ...remarksOnLeftOut({ large, binary: [] }, settings.fileSizeBytesMax),
  ];
  const files: FileSymbols[] = [];
  let fileWithErrorsCount = 0;
  for (const { absolutePath, language } of walked.files) {
    if (!hasSymbols(language)) continue;
    const content = readFileBytes(absolutePath, { sizeBytesMax: settings.fileSizeBytesMax });
    const text = content.kind === "file" ? readableText(content.bytes)?.text : undefined;
    if (text === undefined) continue;
    const extracted = extractSymbols(text, language ?? "");
    if (extracted.hasErrors) fileWithErrorsCount += 1;
    const file = displayPath(target, absolutePath);
    warnings.push(...remarksOnSymbols(extracted, file));
    if (extracted.symbols.length > 0) {
      files.push({ file, symbols: extracted.symbols });
    }
    await releaseTrees();
  }
  if (fileWithErrorsCount > 0) {
    const isOne = fileWithErrorsCount === 1;
    warnings.push(
      `${fileWithErrorsCount} ${isOne ? "file has" : "files have"} syntax errors; symbols around them are listed`,
    );
  }
  const kind = kindOf(request);
  const selection = kind === undefined ? {} : { kind };
  const file = displayPath(target, target.absolutePath);
  const head = { root: displayRoot(target), file, language: null };
  return finish({ head, files, selection, request, warnings });
}

/** `undefined` for all kinds. */
function kindOf({ kind }: OutlineInput): string | undefined {
  return kind === "all" ? undefined : kind;
}

async function finish(outline: {
  readonly head: Pick<OutlinePayload, "root" | "file" | "language">;
  readonly files: readonly FileSymbols[];
  readonly selection: OutlineSelection;
  readonly request: OutlineInput;
  readonly warnings: readonly string[];
}): Promise<CommandResult<OutlinePayload>> {
  const { head, request, warnings } = outline;
  const flat = selectSymbols(outline.files, outline.selection);
  const data =
    request.budget === undefined
      ? { ...head, symbols: nestSymbols(flat) }
      : budgetedPayload(head, flat, {
          budgetTokens: request.budget,
          countTokens: await loadTokenCounter(),
        });
  return warnings.length === 0 ? { data } : { data, warnings };
}

function readNamedFile(absolutePath: string, path: string): string {
  const content = readFileBytes(absolutePath, { sizeBytesMax: namedFileSizeBytesMax });
  switch (content.kind) {
    case "file": {
      const decoded = readableText(content.bytes);
      if (decoded === undefined) throw new errors.parse_error({ path, reason: "it is binary" });
      return decoded.text;
    }
    case "missing":
      throw new errors.file_not_found({ path });
    case "denied":
      throw new errors.permission_denied({ path });
    case "too_large":
      throw new errors.parse_error({
        path,
        reason: `it has ${content.sizeBytes} bytes, wanted at most ${namedFileSizeBytesMax}`,
      });
    case "directory":
    case "special":
      throw new errors.parse_error({ path, reason: "it is not a regular file" });
    case "failed":
      throw new errors.parse_error({ path, reason: content.reason });
  }
}
