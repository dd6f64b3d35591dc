import type { CodeSymbol } from "../syntax/index.ts";
import type { TextHunk } from "./piece-list.ts";
import type { Stretch } from "./text-edit.ts";

/** Whole lines that were edited, before and after. */
export interface EditedLines {
  /** Its first line in the text before the edit, from 1. */
  readonly line: number;
  /** The innermost function around it in the text before the edit. */
  readonly function: string | null;
  /** The lines without the last line end; of very long ones only what is around the edit. */
  readonly before: string;
  readonly after: string;
}

/** Lines before and after an edit, as stretches of the two texts. */
export interface LineHunk {
  readonly before: Stretch;
  readonly after: Stretch;
}

/** Longer texts of a change are cut to what is around the edit. */
const changeCharactersMax = 4000;
const surroundingCharacters = 100;

/**
 * Widens hunks to whole lines; those that touch the same line become one.
 *
 * @param texts The text before and after.
 * @param hunks In order.
 */
export function lineHunksOf(
  texts: { readonly before: string; readonly after: string },
  hunks: readonly TextHunk[],
): LineHunk[] {
  const widened: {
    before: { start: number; end: number };
    after: { start: number; end: number };
  }[] = [];
  for (const { before, after } of hunks) {
    const lead = before.start - lineStartAt(texts.before, before.start);
    const isLineEnd = isLineStart(texts.before, before.end) && isLineStart(texts.after, after.end);
    const tail = isLineEnd ? 0 : lineEndAfter(texts.before, before.end) - before.end;
    const last = widened.at(-1);
    if (last !== undefined && before.start - lead < last.before.end) {
      last.before.end = before.end + tail;
      last.after.end = after.end + tail;
      continue;
    }
    widened.push({
      before: { start: before.start - lead, end: before.end + tail },
      after: { start: after.start - lead, end: after.end + tail },
    });
  }
  return widened;
}

/**
 * Describes hunks line by line.
 *
 * @param symbols The symbols of the text before the edit.
 * @param countMax Changes described at most, from the first.
 */
export function lineChangesOf(
  texts: { readonly before: string; readonly after: string },
  hunks: readonly TextHunk[],
  options: { readonly symbols: readonly CodeSymbol[]; readonly countMax: number },
): { readonly changes: readonly EditedLines[]; readonly totalCount: number } {
  const lineHunks = lineHunksOf(texts, hunks);
  const functions = functionsIn(options.symbols);
  let line1 = 1;
  let counted = 0;
  let next = 0;
  const changes: EditedLines[] = [];
  for (const lineHunk of lineHunks.slice(0, options.countMax)) {
    const { before, after } = lineHunk;
    line1 += countFeeds(texts.before, counted, before.start);
    counted = before.start;
    let first: TextHunk | undefined;
    let last: TextHunk | undefined;
    for (
      let hunk = hunks[next];
      hunk !== undefined && hunk.before.start <= before.end;
      hunk = hunks[next]
    ) {
      if (hunk.before.end > before.end) break;
      first ??= hunk;
      last = hunk;
      next += 1;
    }
    const core = { first: first ?? lineHunk, last: last ?? lineHunk };
    const isInsertion = before.start === before.end;
    changes.push({
      line: line1,
      function: functionAt(functions, line1, { isInsertion }),
      before: shownLines(texts.before, before, {
        start: core.first.before.start,
        end: core.last.before.end,
      }),
      after: shownLines(texts.after, after, {
        start: core.first.after.start,
        end: core.last.after.end,
      }),
    });
  }
  return { changes, totalCount: lineHunks.length };
}

/** The functions of a file, each after those around it. */
function functionsIn(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => [
    ...(symbol.kind === "function" || symbol.kind === "method" ? [symbol] : []),
    ...functionsIn(symbol.children),
  ]);
}

/** The innermost function that a line belongs to; new lines before its first line do not belong to it. */
function functionAt(
  functions: readonly CodeSymbol[],
  line1: number,
  { isInsertion }: { readonly isInsertion: boolean },
): string | null {
  let found: string | null = null;
  for (const { name, startLine1, endLine1 } of functions) {
    const isAfterStart = isInsertion ? startLine1 < line1 : startLine1 <= line1;
    if (isAfterStart && line1 <= endLine1) found = name;
  }
  return found;
}

function shownLines(text: string, lines: Stretch, edited: Stretch): string {
  const whole = text.slice(lines.start, lines.end).replace(/\r?\n$/, "");
  if (whole.length <= changeCharactersMax) return whole;
  const from = Math.max(lines.start, edited.start - surroundingCharacters);
  const to = Math.min(lines.end, edited.end + surroundingCharacters);
  const shown = text.slice(from, Math.min(to, from + changeCharactersMax));
  const isCutAfter = from + shown.length < lines.end;
  return `${from > lines.start ? "…" : ""}${shown.toWellFormed()}${isCutAfter ? "…" : ""}`;
}

function isLineStart(text: string, offset: number): boolean {
  return offset === 0 || text[offset - 1] === "\n";
}

function lineStartAt(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** After the line end that follows an offset. */
function lineEndAfter(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  return feed === -1 ? text.length : feed + 1;
}

function countFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}
