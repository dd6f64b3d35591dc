import type { CodeSymbol } from "../syntax/index.ts";
import { isAsciiText } from "../text/index.ts";

/** A stretch of whole lines of a file; only in a line longer than the target does it begin or end inside. */
export interface Chunk {
  readonly startByte: number;
  /** Exclusive. */
  readonly endByte: number;
  /** 1-based, both included. */
  readonly startLine1: number;
  readonly endLine1: number;
}

/** Where the lines of a file begin, and its size up to there. */
interface LineTable {
  readonly text: Uint8Array;
  /** Byte offset of each line, and the end of the text. */
  readonly starts: readonly number[];
  /** Characters (not bytes) before each line, and of the whole text. */
  readonly characters: readonly number[];
}

function readLines(text: Uint8Array): LineTable {
  return isAsciiText(text) ? readAsciiLines(text) : readAnyLines(text);
}

/** A character is a byte there, so the lines are found without a look at each byte. */
function readAsciiLines(text: Uint8Array): LineTable {
  const starts = [0];
  for (
    let at = text.indexOf(0x0a);
    at >= 0 && at + 1 < text.length;
    at = text.indexOf(0x0a, at + 1)
  )
    starts.push(at + 1);
  if (text.length > 0) starts.push(text.length);
  return { text, starts, characters: starts };
}

function readAnyLines(text: Uint8Array): LineTable {
  const starts = [0];
  const characters = [0];
  let characterCount = 0;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index] as number;
    if ((byte & 0xc0) !== 0x80) characterCount += 1;
    if (byte !== 0x0a || index + 1 === text.length) continue;
    starts.push(index + 1);
    characters.push(characterCount);
  }
  if (text.length > 0) {
    starts.push(text.length);
    characters.push(characterCount);
  }
  return { text, starts, characters };
}

/** A run of lines, `start` included, `end` not, both from 0. */
interface LineRun {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a text into chunks of at most `sizeCharactersMax` characters, without gap or overlap: between definitions where
 * they are known, else at empty lines, else at any line, and inside a line only when it is too long.
 *
 * @param text UTF-8.
 * @param symbols The definitions in it; none for a text whose syntax is not known.
 * @param sizeCharactersMax Aim for the size.
 */
export function chunkText(
  text: Uint8Array,
  symbols: readonly CodeSymbol[],
  sizeCharactersMax: number,
): Chunk[] {
  const lines = readLines(text);
  const lineCount = lines.starts.length - 1;
  const runs = splitRun(
    lines,
    { start: 0, end: lineCount },
    { symbols, sizeMax: sizeCharactersMax },
  );
  return mergeRuns(lines, runs, sizeCharactersMax).flatMap((run) =>
    chunksOfRun(lines, run, sizeCharactersMax),
  );
}

function sizeOf(lines: LineTable, run: LineRun): number {
  return (lines.characters[run.end] ?? 0) - (lines.characters[run.start] ?? 0);
}

/** Splits a run at the definitions in it, and those that are too large at the definitions in them. */
function splitRun(
  lines: LineTable,
  run: LineRun,
  { symbols, sizeMax }: { readonly symbols: readonly CodeSymbol[]; readonly sizeMax: number },
): LineRun[] {
  if (sizeOf(lines, run) <= sizeMax) return run.start < run.end ? [run] : [];
  const runs: LineRun[] = [];
  let at = run.start;
  const sorted = symbols.toSorted((a, b) => a.startLine1 - b.startLine1 || b.endLine1 - a.endLine1);
  for (const symbol of sorted) {
    const end = Math.min(symbol.endLine1, run.end);
    const start = startWithComment(lines, Math.max(at, symbol.startLine1 - 1), at);
    if (start < at || end <= start) continue;
    runs.push(...splitPlain(lines, { start: at, end: start }, sizeMax));
    const own = { start, end };
    const isSame = own.start === run.start && own.end === run.end;
    if (isSame && symbol.children.length === 0) runs.push(...splitPlain(lines, own, sizeMax));
    else runs.push(...splitRun(lines, own, { symbols: symbol.children, sizeMax }));
    at = end;
  }
  runs.push(...splitPlain(lines, { start: at, end: run.end }, sizeMax));
  return runs;
}

function isEmptyLine(lines: LineTable, line: number): boolean {
  for (let index = lines.starts[line] ?? 0; index < (lines.starts[line + 1] ?? 0); index += 1) {
    const byte = lines.text[index];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) return false;
  }
  return true;
}

/** How many lines of comment before a definition go with it. */
const commentLinesMax = 40;

/** The lines directly before a definition, up to an empty one, are its comment. */
function startWithComment(lines: LineTable, start: number, floor: number): number {
  let at = start;
  while (at > floor && start - at < commentLinesMax && !isEmptyLine(lines, at - 1)) at -= 1;
  // A longer run of lines is not a comment but code that nothing separates.
  return start - at < commentLinesMax ? at : start;
}

/** Splits lines without known structure: at the last empty line that fits, else where the size ends. */
function splitPlain(lines: LineTable, run: LineRun, sizeMax: number): LineRun[] {
  const runs: LineRun[] = [];
  let start = run.start;
  let lastEmpty = -1;
  for (let line = run.start; line < run.end; line += 1) {
    while (line > start && sizeOf(lines, { start, end: line + 1 }) > sizeMax) {
      const isWellFilled =
        lastEmpty > start && sizeOf(lines, { start, end: lastEmpty }) * 2 >= sizeMax;
      const end = isWellFilled ? lastEmpty : line;
      runs.push({ start, end });
      start = end;
    }
    if (isEmptyLine(lines, line)) lastEmpty = line + 1;
  }
  if (start < run.end) runs.push({ start, end: run.end });
  return runs;
}

/** Joins neighbours while they fit together. */
function mergeRuns(lines: LineTable, runs: readonly LineRun[], sizeMax: number): LineRun[] {
  const merged: LineRun[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    const joined = last === undefined ? run : { start: last.start, end: run.end };
    if (last !== undefined && sizeOf(lines, joined) <= sizeMax) merged[merged.length - 1] = joined;
    else merged.push(run);
  }
  return merged;
}

function chunksOfRun(lines: LineTable, run: LineRun, sizeMax: number): Chunk[] {
  const startByte = lines.starts[run.start] ?? 0;
  const endByte = lines.starts[run.end] ?? 0;
  const range = { startLine1: run.start + 1, endLine1: run.end };
  if (sizeOf(lines, run) <= sizeMax || run.end - run.start > 1)
    return [{ startByte, endByte, ...range }];
  const chunks: Chunk[] = [];
  let from = startByte;
  let characterCount = 0;
  for (let index = startByte; index < endByte; index += 1) {
    if (((lines.text[index] as number) & 0xc0) === 0x80) continue;
    if (characterCount === sizeMax) {
      chunks.push({ startByte: from, endByte: index, ...range });
      from = index;
      characterCount = 0;
    }
    characterCount += 1;
  }
  return [...chunks, { startByte: from, endByte, ...range }];
}
