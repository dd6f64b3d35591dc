import { errors, estimateTokens, fitBudget, type CountTokens } from "../envelope/index.ts";
import { languageOfPath, languageOfShebang } from "../files/index.ts";
import { contentHash, countLines, decodeText, isBinary } from "../text/index.ts";
import type { ExtractedSymbols } from "../syntax/index.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { flattenSymbols, type OutlineEntry } from "./flatten-symbols.ts";
import { parseLineRange, type LineRange } from "./line-range.ts";
import { displayPath } from "./paths.ts";
import { openFile, type OpenedFile } from "./open-file.ts";
import { readSettings } from "./settings.ts";
import { loadTokenCounter } from "./token-counting.ts";

interface Meta {
  readonly language: string | null;
  readonly lines: number;
  readonly bytes: number;
  readonly modified: number;
  readonly hash: string;
}

interface Content {
  readonly range: LineRange;
  readonly snap: null;
  readonly snap_reason: null;
  readonly text: string;
  readonly tokens: number;
}

interface ReadPayload {
  readonly file: string;
  readonly meta: Meta;
  readonly content: Content | null;
  readonly outline: readonly OutlineEntry[] | null;
}

/** What of a file is asked for, before a budget cuts it. */
interface Selection {
  /** `null` when the outline alone is asked for. */
  readonly text: string | null;
  readonly range: LineRange;
  /** True when `range` follows the lines that are kept; a skeleton's lines are not the file's. */
  readonly isRangeOfText: boolean;
  readonly outline: readonly OutlineEntry[];
}

/** Makes the payload of `read`. */
export async function readFilePayload(
  input: CommandInput,
  context: CommandContext,
): Promise<CommandResult> {
  const wantedHash = wantedHashOf(input);
  const opened = openFile(String(input["file"]), context);
  const hash = await contentHash(opened.bytes);
  const budget = typeof input["budget"] === "number" ? input["budget"] : undefined;
  const count = budget === undefined ? estimateTokens : await loadTokenCounter();
  if (wantedHash === hash) return bounded({ cached: true, meta: { hash } }, budget, count);
  const isOpaque = isBinary(opened.bytes);
  const decoded = isOpaque ? undefined : decodeText(opened.bytes);
  const file = displayPath(opened.target, opened.target.absolutePath);
  const meta: Meta = {
    language: languageOfPath(file) ?? (decoded ? languageOfShebang(decoded.text) : null),
    lines: isOpaque ? 0 : countLines(opened.bytes),
    bytes: opened.bytes.length,
    modified: Math.floor(opened.modifiedMs / 1000),
    hash,
  };
  const bare = { file, meta, content: null, outline: null };
  if (input["hash"] === true || input["meta"] === true) return bounded(bare, budget, count);
  if (decoded === undefined) {
    const warnings = [`"${file}" is binary: its content is left out`];
    return { ...bounded(bare, budget, count), warnings };
  }
  const warnings: string[] = [];
  if (decoded.isLossy)
    warnings.push(`"${file}" is not UTF-8: what could not be read shows as U+FFFD`);
  const selection = await select({ input, context, opened, meta, text: decoded.text, warnings });
  const data =
    budget === undefined
      ? payloadOf(bare, selection, { count })
      : withinBudget(bare, selection, budget, count);
  return { data: { ...data }, warnings };
}

/** The hash of `--if-changed`, in lower case. */
function wantedHashOf(input: CommandInput): string | undefined {
  const hash = input["if_changed"];
  if (hash === undefined) return undefined;
  if (typeof hash === "string" && /^[0-9a-f]{32}$/i.test(hash)) return hash.toLowerCase();
  throw new errors.invalid_argument({
    argument: `if_changed ${String(hash).slice(0, 60)}`,
    reason: "wanted the 32 hexadecimal digits of an earlier meta.hash",
  });
}

async function select(options: {
  readonly input: CommandInput;
  readonly context: CommandContext;
  readonly opened: OpenedFile;
  readonly meta: Meta;
  readonly text: string;
  readonly warnings: string[];
}): Promise<Selection> {
  const { input, meta, text, warnings } = options;
  const isSkeleton = input["skeleton"] === true;
  const isOutlineOnly = input["outline"] === true && !isSkeleton;
  const lines = input["lines"];
  if (isSkeleton && lines !== undefined)
    throw new errors.invalid_argument({
      argument: "skeleton",
      reason: "it shows the whole file and cannot go with lines",
    });
  const whole = { start: 1, end: meta.lines };
  const range = lines === undefined ? whole : parseLineRange(String(lines), meta.lines);
  const diff = await diffOf(options, range);
  if (diff === "") warnings.push(`"${input["file"] as string}" is as in HEAD`);
  const isAsked = isSkeleton || isOutlineOnly;
  const { fileSizeBytesMax } = readSettings(options.context.environment);
  if (!isAsked && meta.bytes > fileSizeBytesMax && meta.language !== null) {
    warnings.push(`"${input["file"] as string}" is large: its outline is left out`);
    const shown = lines === undefined ? text : linesOf(text, range);
    return { text: diff ?? shown, range, isRangeOfText: diff === undefined, outline: [] };
  }
  const { extractSymbols, hasSymbols, skeletonOf } = await import("../syntax/index.ts");
  let extracted: ExtractedSymbols = { symbols: [], hasErrors: false, isComplete: true };
  try {
    extracted = extractSymbols(text, meta.language ?? "");
  } catch (error) {
    // The parser itself is not to be had (no folder to unpack it to): a text can be read without it.
    if (isAsked) throw error;
    warnings.push(
      `The outline is left out: ${error instanceof Error ? error.message : "no parser"}`,
    );
  }
  const all = flattenSymbols(extracted.symbols);
  const outline = all.filter(
    (entry) => entry.lines.start <= range.end && entry.lines.end >= range.start,
  );
  if (isAsked && !hasSymbols(meta.language))
    warnings.push(
      `No symbols are known for ${meta.language ?? "this file"}: it has no grammar here`,
    );
  if (!extracted.isComplete)
    warnings.push("The file is too large or too deep: symbols are missing");
  if (isOutlineOnly) return { text: null, range, isRangeOfText: true, outline };
  if (!isSkeleton) {
    const shown = lines === undefined ? text : linesOf(text, range);
    return { text: diff ?? shown, range, isRangeOfText: diff === undefined, outline };
  }
  const skeleton = skeletonOf(text, extracted.symbols, meta.language ?? "");
  return { text: skeleton, range: whole, isRangeOfText: false, outline };
}

/** The changed lines of `--mode diff`; `undefined` where all is shown. */
async function diffOf(
  options: {
    readonly input: CommandInput;
    readonly context: CommandContext;
    readonly opened: OpenedFile;
    readonly meta: Meta;
  },
  range: LineRange,
): Promise<string | undefined> {
  const { input, context, opened, meta } = options;
  if (input["mode"] !== "diff" || input["outline"] === true) return undefined;
  if (input["skeleton"] === true)
    throw new errors.invalid_argument({
      argument: "mode diff",
      reason: "it shows changed lines and cannot go with skeleton",
    });
  const { diffTextOf } = await import("./read-diff.ts");
  return await diffTextOf(opened.target.absolutePath, { context, range, lineCount: meta.lines });
}

/** The text of lines, their line ends kept but for that of the last. */
function linesOf(text: string, range: LineRange): string {
  let start = 0;
  for (let line = 1; line < range.start; line += 1) start = text.indexOf("\n", start) + 1;
  let end = start - 1;
  for (let line = range.start; line <= range.end && end !== text.length; line += 1) {
    const next = text.indexOf("\n", end + 1);
    end = next === -1 ? text.length : next;
  }
  if (text[end - 1] === "\r" && end > start && end < text.length) end -= 1;
  return text.slice(start, end);
}

/** The payload with the whole selection, or a part of it. */
function payloadOf(
  bare: ReadPayload,
  selection: Selection,
  options: {
    readonly count: CountTokens;
    readonly text?: string;
    readonly keptLines?: number;
    readonly outline?: readonly OutlineEntry[];
  },
): ReadPayload {
  const text = options.text ?? selection.text;
  const { start } = selection.range;
  const range =
    options.keptLines === undefined || !selection.isRangeOfText
      ? selection.range
      : { start, end: start + options.keptLines - 1 };
  const content =
    text === null
      ? null
      : { range, snap: null, snap_reason: null, text, tokens: options.count(text) };
  return { ...bare, content, outline: options.outline ?? selection.outline };
}

/** Lines from the first on come before the outline, which gets what is left. */
function withinBudget(
  bare: ReadPayload,
  selection: Selection,
  budgetTokens: number,
  count: CountTokens,
): object {
  let text = selection.text ?? undefined;
  let keptLines: number | undefined;
  let isTextCut = false;
  if (text !== undefined && text !== "") {
    const lines = text.split(/(?<=\n)/);
    const fit = fitBudget({
      items: lines,
      budgetTokens,
      countTokens: count,
      whenFull: "stop",
      addedText: (line) => JSON.stringify(line).slice(1, -1),
      render: (kept, _used, isTruncated) => {
        const data = payloadOf(bare, selection, {
          count,
          text: kept.join(""),
          keptLines: kept.length,
          outline: [],
        });
        return isTruncated ? { ...data, truncated: true } : data;
      },
    });
    if (fit.kept.length === 0)
      throw exceeded(
        budgetTokens,
        payloadOf(bare, selection, {
          count,
          text: lines[0] ?? "",
          keptLines: 1,
          outline: [],
        }),
        count,
      );
    text = fit.kept.join("");
    isTextCut = fit.isTruncated;
    if (isTextCut) keptLines = fit.kept.length;
  }
  const outline = fitBudget({
    items: selection.outline,
    budgetTokens,
    countTokens: count,
    addedText: (entry) => `${JSON.stringify(entry)},`,
    render: (kept, _used, isTruncated) => {
      const data = payloadOf(bare, selection, {
        count,
        outline: kept,
        ...(text === undefined ? {} : { text }),
        ...(keptLines === undefined ? {} : { keptLines }),
      });
      return isTruncated || isTextCut ? { ...data, truncated: true } : data;
    },
  });
  if (outline.budgetUsed > budgetTokens) throw exceeded(budgetTokens, outline.data, count);
  return outline.data;
}

/** A payload of which nothing can be left out. */
function bounded(data: object, budget: number | undefined, count: CountTokens): CommandResult {
  if (budget !== undefined && count(JSON.stringify(data)) > budget)
    throw exceeded(budget, data, count);
  return { data: { ...data } };
}

function exceeded(budget: number, data: object, count: CountTokens): Error {
  return new errors.budget_exceeded({ budget, needed: count(JSON.stringify(data)) });
}
