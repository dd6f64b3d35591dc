import { errors, estimateTokens, fitBudget, type CountTokens } from "../../envelope/index.ts";
import { languageOfPath, languageOfShebang } from "../../files/index.ts";
import {
  contentHash,
  countLines,
  loadTokenCounter,
  readableText,
  type ReadableText,
} from "../../text/index.ts";
import type { CommandContext, CommandResult, UnixOutput } from "../command.ts";
import { readAskedPart } from "./asked-part.ts";
import type { FlatSymbol } from "./flat-symbols.ts";
import type { ReadInput } from "./input.ts";
import type { FilePayload, Meta, ReadPayload, UnchangedPayload } from "./payload.ts";
import { displayPath, displayRoot } from "../paths.ts";
import { isAsOpened, openFile, type OpenedFile } from "../open-file.ts";
import { selectFrom, type Selection } from "./selection.ts";

/** Runs `read`. */
export async function runRead(
  given: ReadInput,
  context: CommandContext,
): Promise<CommandResult<ReadPayload>> {
  const input = readAskedPart(given, context);
  for (let count = 1; count <= readCountMax; count += 1) {
    const opened = openFile(input.file, context);
    const result = await readOpened(opened, input, context);
    // Git reads the file on its own: lines and their numbers are of one state only if it is the same before and behind.
    if (input.mode !== "diff" || isAsOpened(opened)) return result;
  }
  throw new errors.file_changed({
    action: "compare",
    path: input.file,
    reason: "it kept changing while it was compared",
  });
}

/** How often a file is read that changes while git compares it. */
const readCountMax = 3;

async function readOpened(
  opened: OpenedFile,
  input: ReadInput,
  context: CommandContext,
): Promise<CommandResult<ReadPayload>> {
  const wantedHash = wantedHashOf(input);
  const hash = await contentHash(opened.bytes);
  const { budget } = input;
  const count = budget === undefined ? estimateTokens : await loadTokenCounter();
  const cat = { way: "cat", sizeBytes: opened.bytes.length } as const;
  if (wantedHash === hash) {
    const data: UnchangedPayload = { cached: true, meta: { hash } };
    return { ...bounded(data, { budget, count }), unixOutput: cat };
  }
  const decoded = readableText(opened.bytes);
  const file = displayPath(opened.target, opened.target.absolutePath);
  const meta: Meta = {
    language: languageOfPath(file) ?? (decoded ? languageOfShebang(decoded.text) : null),
    lines: decoded === undefined ? 0 : lineCountOf(decoded, opened.bytes),
    bytes: opened.bytes.length,
    modified: Math.floor(opened.stamp.modifiedMs / 1000),
    hash,
  };
  const root = displayRoot(opened.target);
  const bare: FilePayload = { root, file, meta, content: null, outline: null };
  if (input.hash === true || input.meta === true) return bounded(bare, { budget, count });
  if (decoded === undefined) {
    const warnings = [`"${file}" is binary: its content is left out`];
    return { ...bounded(bare, { budget, count }), warnings };
  }
  const warnings: string[] = [];
  if (decoded.isUtf16) warnings.push(`"${file}" is UTF-16, and is shown in UTF-8`);
  if (decoded.isUtf16 && input.mode === "diff")
    throw new errors.invalid_argument({
      argument: "mode diff",
      reason: `"${file}" is UTF-16, which git compares as binary`,
    });
  if (decoded.isLossy) {
    const wanted = decoded.isUtf16 ? "is not valid UTF-16" : "is not UTF-8";
    warnings.push(`"${file}" ${wanted}: invalid bytes are shown as U+FFFD`);
  }
  const selection = await selectFrom({
    input,
    context,
    file: { absolutePath: opened.target.absolutePath, text: decoded.text, ...meta },
    warnings,
  });
  const data =
    budget === undefined
      ? payloadOf(bare, selection, { count })
      : withinBudget(bare, selection, { budgetTokens: budget, count });
  // What `git diff` prints of one file is not known here.
  if (input.mode === "diff") return { data, warnings };
  return { data, warnings, unixOutput: sedOf(input, selection) ?? cat };
}

/** Who names lines and wants no more gets the same from `sed`, without numbers. */
function sedOf({ lines, snap, number }: ReadInput, { text }: Selection): UnixOutput | undefined {
  if (lines === undefined || snap !== undefined || text === null) return undefined;
  const numbers = number === true ? text.replaceAll(/^ *\d+[:\t ]/gm, "") : text;
  return { way: "sed", sizeBytes: Buffer.byteLength(numbers) };
}

/** In UTF-16 a byte of 10 is not a line feed. */
function lineCountOf({ text, isUtf16 }: ReadableText, bytes: Uint8Array): number {
  return countLines(isUtf16 ? Buffer.from(text) : bytes);
}

/** The hash of `--if-changed`, in lower case. */
function wantedHashOf(input: ReadInput): string | undefined {
  const hash = input.if_changed;
  if (hash === undefined) return undefined;
  if (/^[0-9a-f]{32}$/i.test(hash)) return hash.toLowerCase();
  throw new errors.invalid_argument({
    argument: `if_changed ${hash.slice(0, 60)}`,
    reason: "wanted the 32 hexadecimal digits of an earlier meta.hash",
  });
}

/** The payload with the whole selection, or a part of it. */
function payloadOf(
  bare: FilePayload,
  selection: Selection,
  options: {
    readonly count: CountTokens;
    readonly text?: string;
    readonly keptLines?: number;
    readonly outline?: readonly FlatSymbol[];
  },
): FilePayload {
  const text = options.text ?? selection.text;
  const { start } = selection.range;
  const range =
    options.keptLines === undefined || !selection.isRangeOfText
      ? selection.range
      : { start, end: start + options.keptLines - 1 };
  const content =
    text === null
      ? null
      : {
          range,
          snap: selection.snap?.kind ?? null,
          snap_reason: selection.snap?.reason ?? null,
          text,
          tokens: options.count(text),
        };
  const outline = selection.outline && (options.outline ?? selection.outline);
  return { ...bare, content, outline };
}

/** The first lines of the text come before the outline, which gets the rest of the budget. */
function withinBudget(
  bare: FilePayload,
  selection: Selection,
  { budgetTokens, count }: { readonly budgetTokens: number; readonly count: CountTokens },
): FilePayload {
  let text = selection.text ?? undefined;
  let keptLines: number | undefined;
  let isTextCut = false;
  if (text !== undefined && text !== "") {
    const lines = text.split(/(?<=\n)/);
    // An outline may have to be left out even where all lines fit: that is marked too.
    const hasOutline = (selection.outline?.length ?? 0) > 0;
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
        return markedIf(isTruncated || hasOutline, data);
      },
    });
    if (fit.kept.length === 0)
      throw exceeded(
        budgetTokens,
        markedIf(
          lines.length > 1 || hasOutline,
          payloadOf(bare, selection, { count, text: lines[0] ?? "", keptLines: 1, outline: [] }),
        ),
        count,
      );
    text = fit.kept.join("");
    isTextCut = fit.isTruncated;
    if (isTextCut) keptLines = fit.kept.length;
  }
  const outline = fitBudget({
    items: selection.outline ?? [],
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
      return markedIf(isTruncated || isTextCut, data);
    },
  });
  if (outline.budgetUsed > budgetTokens) throw exceeded(budgetTokens, outline.data, count);
  return outline.data;
}

function markedIf(isTruncated: boolean, data: FilePayload): FilePayload {
  return isTruncated ? { ...data, truncated: true } : data;
}

/** A payload of which nothing can be left out. */
function bounded<Payload extends ReadPayload>(
  data: Payload,
  { budget, count }: { readonly budget: number | undefined; readonly count: CountTokens },
): CommandResult<Payload> {
  if (budget !== undefined && count(JSON.stringify(data)) > budget)
    throw exceeded(budget, data, count);
  return { data };
}

function exceeded(budget: number, data: ReadPayload, count: CountTokens): Error {
  return new errors.budget_exceeded({ budget, needed: count(JSON.stringify(data)) });
}
