import type { WalkedFile } from "../files/index.ts";
import { endOfLineAt, startOfText, type SymbolAround } from "./scan/index.ts";
import type { Evidence } from "./evidence.ts";
import type { ExplainedFeature, WhyPlace } from "./ranked/index.ts";

/** How much is shown around a match: what it is in, or so many lines before and after. */
export type ContextUnit = "function" | "class" | "block" | "none" | number;

/** One match as the answer prints it; keys in the order of printing. */
export interface PrintedMatch {
  readonly file: string;
  readonly line: number;
  /** UTF-8 bytes from 1, a byte-order mark not counted. */
  readonly column: number;
  readonly match: string;
  readonly context_type: string | null;
  readonly context_name: string | null;
  readonly context_signature: string | null;
  readonly snippet: string;
  /** Absent where the snippet is only the line of the match. */
  readonly snippet_lines?: { readonly start: number; readonly end: number };
  readonly relevance: number;
  readonly language: string | null;
  /** With `--hash`, at the first match of each file: XXH3-128 of its text. */
  readonly hash?: string;
  /** Of a match by structure: what the placeholders mean. */
  readonly captures?: readonly PrintedCapture[];
  /** With `--explain`: what speaks for the place and its file, most important first. */
  readonly features?: readonly ExplainedFeature[];
  /** With `--explain`: why this place, and not the next one of its file. */
  readonly why?: WhyPlace;
}

/** What a placeholder means; the lines are `null` for a list of nothing. */
export interface PrintedCapture {
  readonly name: string;
  readonly text: string;
  readonly lines: { readonly start: number; readonly end: number } | null;
}

/** What is to be shown of one place in a file. */
export interface Place {
  readonly file: WalkedFile;
  readonly line1: number;
  /** Bytes of the match; without it the whole line is the match. */
  readonly span?: { readonly start: number; readonly end: number };
  /** Lines that may be shown without `--context`; default those of the match. */
  readonly window?: { readonly startLine1: number; readonly endLine1: number };
  readonly relevance: number;
  /** What the placeholders of a pattern mean here. */
  readonly captures?: readonly PrintedCapture[];
  /** What speaks for it and its file. */
  readonly features?: readonly ExplainedFeature[];
  /** Why it is this place, and not the next one of its file. */
  readonly why?: WhyPlace;
  /** What it was found by; absent where every text of the file has it. */
  readonly evidence?: Evidence;
}

/** What a file is presented from. */
export interface PresentedFileOptions {
  readonly text: Buffer;
  /** The path as the answer shows it. */
  readonly displayPath: string;
  /** The definitions around a line, outermost first. */
  readonly around: (line1: number) => readonly SymbolAround[];
}

/** Characters of a line that are shown at most; the match stays in sight. */
const lineCharactersMax = 240;
const matchCharactersMax = 240;
const contextLinesMax = 400;

const functionKinds: ReadonlySet<string> = new Set(["function", "method"]);
const classKinds: ReadonlySet<string> = new Set([
  "class",
  "struct",
  "enum",
  "trait",
  "interface",
  "module",
]);

/** A file that matches are shown of: what all of them need is worked out once. */
export class PresentedFile {
  readonly #text: Buffer;
  readonly #displayPath: string;
  readonly #lines: Lines;
  readonly #around: PresentedFileOptions["around"];

  /** @param options The text is used as long as matches are presented. */
  constructor(options: PresentedFileOptions) {
    this.#text = options.text;
    this.#displayPath = options.displayPath;
    this.#lines = new Lines(options.text);
    this.#around = options.around;
  }

  /** Makes the printed form of a match in this file, with its surroundings. */
  present(place: Place, context: ContextUnit): PrintedMatch {
    const text = this.#text;
    const lines = this.#lines;
    const around = this.#around(place.line1);
    const innermost = around.at(-1);
    const lineStart = lines.startOf(place.line1);
    const lineEnd = endOfLineAt(text, lineStart);
    const span = place.span ?? { start: firstVisible(text, lineStart, lineEnd), end: lineEnd };
    const own = { startLine1: place.line1, endLine1: lines.lastOf(place.line1, span.end) };
    const range = snippetRange({ place: { window: own, ...place }, own, lines, around, context });
    const isLineAlone = range.start === place.line1 && range.end === place.line1;
    const snippet: string[] = [];
    for (let line1 = range.start; line1 <= range.end; line1 += 1) {
      const start = lines.startOf(line1);
      const offset = line1 === place.line1 ? Math.max(0, span.start - start) : 0;
      snippet.push(clip(text, { start, end: endOfLineAt(text, start) }, { offset }));
    }
    return {
      file: this.#displayPath,
      line: place.line1,
      column: span.start - lineStart + 1,
      match: clip(
        text,
        { start: span.start, end: Math.max(span.start, span.end) },
        { charactersMax: matchCharactersMax },
      ),
      context_type: innermost?.kind ?? null,
      context_name: innermost?.name ?? null,
      context_signature: innermost?.signature ?? null,
      snippet: snippet.join("\n"),
      ...(isLineAlone ? {} : { snippet_lines: range }),
      relevance: Math.round(Math.min(1, Math.max(0, place.relevance)) * 10_000) / 10_000,
      language: place.file.language,
      ...(place.captures === undefined ? {} : { captures: place.captures.map(clipped) }),
      ...(place.features === undefined ? {} : { features: place.features.map(rounded) }),
      ...(place.why === undefined ? {} : { why: place.why }),
    };
  }
}

function clipped({ name, text, lines }: PrintedCapture): PrintedCapture {
  const bytes = Buffer.from(text, "utf8");
  return {
    name,
    text: clip(bytes, { start: 0, end: bytes.length }, { charactersMax: matchCharactersMax }),
    lines,
  };
}

function rounded({ feature, value, weight }: ExplainedFeature): ExplainedFeature {
  return { feature, value: Math.round(value * 1000) / 1000, weight };
}

function firstVisible(text: Buffer, start: number, end: number): number {
  let index = start;
  while (index < end && (text[index] === 0x20 || text[index] === 0x09)) index += 1;
  return index;
}

function snippetRange(options: {
  readonly place: Place & Required<Pick<Place, "window">>;
  /** The lines of the match. */
  readonly own: Required<Place>["window"];
  readonly lines: Lines;
  readonly around: readonly SymbolAround[];
  readonly context: ContextUnit;
}): { start: number; end: number } {
  const { place, own, lines, around, context } = options;
  if (typeof context === "number") {
    const { startLine1, endLine1 } = own;
    return {
      start: Math.max(1, startLine1 - context),
      end: Math.min(lines.count, endLine1 + context),
    };
  }
  const unit = unitAround(around, context);
  if (unit !== undefined) {
    const size = unit.endLine1 - unit.startLine1 + 1;
    if (size <= contextLinesMax) return { start: unit.startLine1, end: unit.endLine1 };
    const start = Math.max(unit.startLine1, place.line1 - contextLinesMax / 2);
    return { start, end: Math.min(unit.endLine1, start + contextLinesMax - 1) };
  }
  if (context === "block") return lines.paragraphAround(place.line1);
  const { window } = place;
  return { start: Math.max(1, window.startLine1), end: Math.min(lines.count, window.endLine1) };
}

function unitAround(
  around: readonly SymbolAround[],
  context: Exclude<ContextUnit, number>,
): SymbolAround | undefined {
  if (context === "function") return around.findLast((symbol) => functionKinds.has(symbol.kind));
  if (context === "class") return around.findLast((symbol) => classKinds.has(symbol.kind));
  return context === "block" ? around.at(-1) : undefined;
}

/** Shows bytes as text, at most so many characters, those from `offset` on in sight. */
function clip(
  text: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  {
    offset = 0,
    charactersMax = lineCharactersMax,
  }: { readonly offset?: number; readonly charactersMax?: number },
): string {
  // Four bytes a character at most: the rest of a long line is not even decoded.
  const bytesMax = charactersMax * 4;
  if (end - start <= charactersMax) return text.toString("utf8", start, end);
  const from = offset > charactersMax / 2 ? start + offset - Math.floor(charactersMax / 4) : start;
  let first = from;
  while (first > start && ((text[first] as number) & 0xc0) === 0x80) first -= 1;
  let last = Math.min(end, first + bytesMax);
  while (last < end && ((text[last] as number) & 0xc0) === 0x80) last += 1;
  const characters = Array.from(text.toString("utf8", first, last));
  const isCutBehind = last < end || characters.length > charactersMax;
  const shown = characters.slice(0, charactersMax).join("");
  return `${first > start ? "…" : ""}${shown}${isCutBehind ? "…" : ""}`;
}

/** Where lines begin, counted from 1; a last line break begins no line. */
class Lines {
  readonly #text: Buffer;
  readonly #starts: number[];

  constructor(text: Buffer) {
    this.#text = text;
    this.#starts = [startOfText(text)];
    for (
      let at = text.indexOf(0x0a);
      at >= 0 && at + 1 < text.length;
      at = text.indexOf(0x0a, at + 1)
    )
      this.#starts.push(at + 1);
  }

  get count(): number {
    return this.#starts.length;
  }

  startOf(line1: number): number {
    return this.#starts[line1 - 1] ?? this.#text.length;
  }

  /** The line of the last byte before `end`, looked for from a line on. */
  lastOf(line1: number, end: number): number {
    let last = line1;
    while (last < this.count && this.startOf(last + 1) < end) last += 1;
    return last;
  }

  /** The lines up to the next empty ones on both sides. */
  paragraphAround(line1: number): { start: number; end: number } {
    const isEmpty = (line: number): boolean => {
      const start = this.startOf(line);
      const end = endOfLineAt(this.#text, start);
      return firstVisible(this.#text, start, end) === end;
    };
    let start = line1;
    let end = line1;
    while (start > 1 && line1 - start < contextLinesMax / 2 && !isEmpty(start - 1)) start -= 1;
    while (end < this.count && end - line1 < contextLinesMax / 2 && !isEmpty(end + 1)) end += 1;
    return { start, end };
  }
}
