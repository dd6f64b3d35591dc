import type { PatternMatcher } from "../../patterns/index.ts";

/** A line that matches. */
export interface MatchingLine {
  /** Finds its first byte. */
  findStart(): number;
  /** Finds its number, for which all lines before it are counted. */
  findNumber(): number;
  /** The place in it that matches first, in bytes of the file. For a pattern it takes longer than finding the line. */
  findSpan(): LineSpan;
}

/** A place in bytes of the file. */
interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds the lines of a file that match; a line with several matches is one hit, at the first. */
export interface LineScanner {
  /**
   * @param text The file's bytes.
   * @param onHit Called line by line, in order; returning false ends the scan. What it is given is valid until it returns.
   */
  scan(text: Buffer, onHit: (hit: MatchingLine) => boolean): void;
  /** Texts one of which is in every file that matches; empty when none is known. */
  readonly required: readonly Buffer[];
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Where the first line begins: after a byte-order mark. */
export function startOfText(text: Uint8Array): number {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
}

/** Where the line that begins at an offset ends, without its line break. */
export function endOfLineAt(text: Buffer, start: number): number {
  const found = text.indexOf(lineFeed, start);
  const end = found < 0 ? text.length : found;
  return end > start && text[end - 1] === carriageReturn ? end - 1 : end;
}

/** Where the line that holds an offset begins. */
function startOfLineAt(text: Buffer, offset: number): number {
  const before = offset === 0 ? -1 : text.lastIndexOf(lineFeed, offset - 1);
  return Math.max(startOfText(text), before + 1);
}

/** Counts lines while offsets only grow. */
export class LineCounter {
  readonly #text: Buffer;
  #line1 = 1;
  #lineStart: number;

  constructor(text: Buffer) {
    this.#text = text;
    this.#lineStart = startOfText(text);
  }

  /** The line that holds an offset, which is at or behind the one asked for before. */
  lineAt(offset: number): number {
    for (;;) {
      const lineBreak = this.#text.indexOf(lineFeed, this.#lineStart);
      if (lineBreak < 0 || lineBreak >= offset) return this.#line1;
      this.#lineStart = lineBreak + 1;
      this.#line1 += 1;
    }
  }
}

/**
 * Finds a text as it is written, upper and lower case told apart. One with line breaks is found over lines, whichever
 * line break the file has; the hit is its first line.
 *
 * @param needle Not empty.
 */
export function literalScanner(needle: string): LineScanner {
  const needles = [Buffer.from(needle, "utf8")];
  if (/\r?\n/.test(needle)) {
    needles.length = 0;
    const unix = needle.replaceAll("\r\n", "\n");
    // The query unchanged as well: a file may have both kinds of line break.
    const variants = new Set([unix, unix.replaceAll("\n", "\r\n"), needle]);
    for (const variant of variants) needles.push(Buffer.from(variant, "utf8"));
  }
  return {
    required: needles,
    scan(text, onHit) {
      for (const bytes of needles) scanLiteral(text, bytes, onHit);
    },
  };
}

function scanLiteral(text: Buffer, needle: Buffer, onHit: (hit: MatchingLine) => boolean): void {
  let matchStart = text.indexOf(needle);
  if (matchStart < 0) return;
  const line = new LiteralLine(text, needle.length);
  while (matchStart >= 0) {
    line.start = matchStart;
    if (!onHit(line)) return;
    const lineBreak = text.indexOf(lineFeed, matchStart);
    if (lineBreak < 0) return;
    matchStart = text.indexOf(needle, lineBreak + 1);
  }
}

/** The line of a literal, and then the next one: files with very many matches cost no object for each. */
class LiteralLine implements MatchingLine {
  /** Where the literal begins; only grows. */
  start = 0;
  readonly #text: Buffer;
  readonly #lengthBytes: number;
  #counter: LineCounter | undefined;

  constructor(text: Buffer, lengthBytes: number) {
    this.#text = text;
    this.#lengthBytes = lengthBytes;
  }

  findStart(): number {
    return startOfLineAt(this.#text, this.start);
  }

  findNumber(): number {
    this.#counter ??= new LineCounter(this.#text);
    return this.#counter.lineAt(this.start);
  }

  findSpan(): LineSpan {
    return { start: this.start, end: this.start + this.#lengthBytes };
  }
}

/** Finds the lines that match a pattern. */
export function patternScanner(matcher: PatternMatcher): LineScanner {
  return {
    required: matcher.requiredBytes.length > 0 ? [matcher.requiredBytes] : [],
    scan(text, onHit) {
      if (matcher.requiredBytes.length > 0) scanCandidates(text, matcher, onHit);
      else scanAllLines(text, matcher, onHit);
    },
  };
}

/** Reads only the lines that hold the bytes that every match holds. */
function scanCandidates(
  text: Buffer,
  matcher: PatternMatcher,
  onHit: (hit: MatchingLine) => boolean,
): void {
  const { requiredBytes } = matcher;
  let found = text.indexOf(requiredBytes);
  if (found < 0) return;
  const counter = new LineCounter(text);
  while (found >= 0) {
    const at = found;
    const lineStart = startOfLineAt(text, at);
    const end = endOfLineAt(text, at);
    if (
      matcher.isMatch(text, lineStart, end) &&
      !onHit(matchingLine(matcher, text, { findLine1: () => counter.lineAt(at), lineStart, end }))
    )
      return;
    const lineBreak = text.indexOf(lineFeed, at);
    if (lineBreak < 0) return;
    found = text.indexOf(requiredBytes, lineBreak + 1);
  }
}

function scanAllLines(
  text: Buffer,
  matcher: PatternMatcher,
  onHit: (hit: MatchingLine) => boolean,
): void {
  let lineStart = startOfText(text);
  for (let number1 = 1; lineStart < text.length; number1 += 1) {
    const line1 = number1;
    const end = endOfLineAt(text, lineStart);
    if (
      matcher.isMatch(text, lineStart, end) &&
      !onHit(matchingLine(matcher, text, { findLine1: () => line1, lineStart, end }))
    )
      return;
    lineStart = end + (text[end] === carriageReturn ? 2 : 1);
  }
}

function matchingLine(
  matcher: PatternMatcher,
  text: Buffer,
  line: { readonly findLine1: () => number; readonly lineStart: number; readonly end: number },
): MatchingLine {
  const { findLine1, lineStart, end } = line;
  return {
    findStart: () => lineStart,
    findNumber: findLine1,
    findSpan: () => matcher.findSpan(text, lineStart, end) ?? { start: lineStart, end: lineStart },
  };
}
