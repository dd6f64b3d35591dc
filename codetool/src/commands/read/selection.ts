import { errors } from "../../envelope/index.ts";
import type { ExtractedSymbols } from "../../syntax/index.ts";
import type { CommandContext } from "../command.ts";
import { flatSymbolsOf, type FlatSymbol } from "./flat-symbols.ts";
import type { ReadInput } from "./input.ts";
import { parseLineRange, type LineRange } from "./line-range.ts";
import { linesOf, numberedLines } from "./lines-of.ts";
import { snapToBlock, snapToSymbol, type Snapped } from "./snap.ts";
import { readSettings } from "../settings.ts";
import { remarksOnSymbols } from "../symbols-left-out.ts";

/** The part of a file that is asked for, before a budget cuts it. */
export interface Selection {
  /** `null` when only the outline is asked for. */
  readonly text: string | null;
  readonly range: LineRange;
  /** What the lines were widened to, and why; absent where they were not. */
  readonly snap?: { readonly kind: string; readonly reason: string };
  /** True when `range` follows the lines that are kept; those of a skeleton or a mode are not the file's. */
  readonly isRangeOfText: boolean;
  /** `null` with lines, a symbol, a skeleton or a mode, which show less, unless the outline is asked for. */
  readonly outline: readonly FlatSymbol[] | null;
}

/** A text file that is read. */
export interface ReadFile {
  readonly absolutePath: string;
  readonly text: string;
  readonly language: string | null;
  readonly lines: number;
  readonly bytes: number;
}

/** What a selection is made from. */
export interface SelectionOptions {
  readonly input: ReadInput;
  readonly context: CommandContext;
  readonly file: ReadFile;
  /** Remarks are added here. */
  readonly warnings: string[];
}

/**
 * Selects from a file the lines, the mode, the skeleton or the outline that the input asks for.
 *
 * @throws invalid_argument for flags that cannot go together; invalid_range; git_error.
 */
export async function selectFrom(options: SelectionOptions): Promise<Selection> {
  const { input, file, warnings } = options;
  refuseTogether(input);
  const lines = input.lines;
  const isSkeleton = input.skeleton === true;
  const isPartAsked = lines !== undefined || input.symbol !== undefined;
  const isOutlineOnly = input.outline === true && !isSkeleton && !isPartAsked;
  const whole = { start: 1, end: file.lines };
  const isSymbolNeeded =
    isSkeleton || isOutlineOnly || input.snap !== undefined || input.symbol !== undefined;
  const isWhole = !isSkeleton && !isPartAsked && input.mode === undefined;
  const hasOutline = input.outline === true || isWhole;
  const given = lines === undefined ? whole : parseLineRange(lines, file.lines, warnings);
  const extracted =
    hasOutline || isSymbolNeeded ? await extract(options, { isSymbolNeeded }) : noSymbols;
  const asked =
    input.symbol === undefined ? given : await linesAsked(input.symbol, extracted, options);
  const { range, reason } = await snap(options, asked, extracted);
  const isShown = ({ lines: { start, end } }: FlatSymbol): boolean =>
    start <= range.end && end >= range.start;
  // The reason names the symbol that the lines were widened to, and the text begins with its head.
  const isWidenedTo = ({ lines: { start, end } }: FlatSymbol): boolean =>
    reason !== null && start === range.start && end === range.end;
  const outline = hasOutline
    ? flatSymbolsOf(extracted.symbols).filter((entry) => isShown(entry) && !isWidenedTo(entry))
    : null;
  if (isOutlineOnly) return { text: null, range, isRangeOfText: true, outline };
  if (isSkeleton) {
    const { skeletonOf } = await import("../../syntax/index.ts");
    const text = skeletonOf(file.text, extracted.symbols, file.language ?? "");
    return { text, range: whole, isRangeOfText: false, outline };
  }
  const reduced = await reduce(options, range);
  if (reduced === "" && input.mode === "diff") warnings.push(`"${input.file}" is as in HEAD`);
  const isPart = range.start > 1 || range.end < file.lines || isPartAsked;
  const plain = isPart ? linesOf(file.text, range) : file.text;
  return {
    text: reduced ?? (input.number === true ? numberedLines(plain, range) : plain),
    range,
    ...(reason === null ? {} : { snap: { kind: String(input.snap), reason } }),
    isRangeOfText: reduced === undefined,
    outline,
  };
}

/** The lines of a symbol. What finds it is loaded only here: most who read ask for lines. */
async function linesAsked(
  symbol: string,
  extracted: ExtractedSymbols,
  { input, warnings }: SelectionOptions,
): Promise<LineRange> {
  const { linesOfSymbol } = await import("./symbol-lines.ts");
  return linesOfSymbol(symbol, extracted, { file: input.file, warnings });
}

function refuseTogether(input: ReadInput): void {
  const refuse = (argument: string, reason: string): Error =>
    new errors.invalid_argument({ argument, reason });
  const mode = input.mode;
  if (input.skeleton === true && input.lines !== undefined)
    throw refuse("skeleton", "it shows the whole file and cannot go with lines");
  if (input.skeleton === true && input.symbol !== undefined)
    throw refuse("skeleton", "it shows the whole file and cannot go with a symbol");
  if (input.number === true && (input.skeleton === true || mode !== undefined))
    throw refuse(
      "number",
      `the lines of ${mode === undefined ? "a skeleton" : `mode ${mode}`} are not the file's lines`,
    );
  if (input.skeleton === true && mode !== undefined)
    throw refuse(`mode ${mode}`, "it is another way to show less and cannot go with skeleton");
  if (input.snap !== undefined && input.lines === undefined)
    throw refuse("snap", "it widens lines, and no lines are given");
}

const noSymbols: ExtractedSymbols = { symbols: [], hasErrors: false, isComplete: true };

/** The symbols of the file; of a large one only where they are asked for. */
async function extract(
  { context, file, input, warnings }: SelectionOptions,
  { isSymbolNeeded }: { readonly isSymbolNeeded: boolean },
): Promise<ExtractedSymbols> {
  const { fileSizeBytesMax } = readSettings(context.environment);
  if (!isSymbolNeeded && file.bytes > fileSizeBytesMax && file.language !== null) {
    warnings.push(`"${input.file}" is large: its outline is left out`);
    return noSymbols;
  }
  const { extractSymbols, hasSymbols } = await import("../../syntax/index.ts");
  if (isSymbolNeeded && !hasSymbols(file.language))
    warnings.push(
      `No symbols are known for ${file.language ?? "this file"}: it has no grammar here`,
    );
  try {
    const extracted = extractSymbols(file.text, file.language ?? "");
    warnings.push(...remarksOnSymbols(extracted, input.file));
    return extracted;
  } catch (error) {
    // The parser cannot be loaded (there is no folder to unpack it to): a text can be read without it.
    if (isSymbolNeeded) throw error;
    warnings.push(
      `The outline is left out: ${error instanceof Error ? error.message : "no parser"}`,
    );
    return noSymbols;
  }
}

async function snap(
  { input, file }: SelectionOptions,
  range: LineRange,
  extracted: ExtractedSymbols,
): Promise<Snapped> {
  const kind = input.snap;
  if (kind === undefined || range.end < range.start) return { range, reason: null };
  if (kind !== "block")
    return snapToSymbol(kind === "class" ? "class" : "function", range, extracted.symbols);
  const { enclosingBlockOf } = await import("../../syntax/index.ts");
  const lines = { startLine1: range.start, endLine1: range.end };
  return snapToBlock(range, enclosingBlockOf(file.text, file.language ?? "", lines));
}

/** The text of a mode; `undefined` where the lines are shown as they are. */
async function reduce(
  { input, context, file }: SelectionOptions,
  range: LineRange,
): Promise<string | undefined> {
  switch (input.mode) {
    case "diff": {
      const { diffTextOf } = await import("./changed-lines.ts");
      return await diffTextOf(file.absolutePath, { context, range, lineCount: file.lines });
    }
    case "aggressive": {
      const { withoutComments } = await import("./reduced.ts");
      return withoutComments(file.text, file.language ?? "", range);
    }
    case "entropy": {
      const { withoutRepetition } = await import("./reduced.ts");
      return withoutRepetition(linesOf(file.text, range, { withLastEnd: true }));
    }
    default:
      return undefined;
  }
}
