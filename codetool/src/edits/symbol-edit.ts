import { extractSymbols, isDataFormat, type CodeSymbol } from "../syntax/index.ts";
import { fitIndentation, indentationAt, indentationUnitOf } from "./indentation.ts";
import { lineEndAt, withLineEnds } from "./line-view.ts";
import type { TextEdit } from "./text-edit.ts";
import { unitOffsetsIn } from "./unit-offsets.ts";

/** What is done to a symbol. */
export type SymbolAction = "replaceBody" | "insertBefore" | "insertAfter";

/** What a symbol edit is made from. */
export interface SymbolEditOptions {
  readonly action: SymbolAction;
  readonly symbol: CodeSymbol;
  /** The new lines. */
  readonly newText: string;
  /** Of the file; reads the new lines too. */
  readonly language: string;
  /** Comments of the file, UTF-16 units, in order. */
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

/** Data formats whose parts are separated by blank lines. */
const proseLanguages: ReadonlySet<string> = new Set(["markdown", "html"]);

interface Place {
  /** The text, line ends as they are. */
  readonly text: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
  readonly indentation: string;
  readonly unit: string;
}

/**
 * Makes the edit that puts new lines into, before or after a symbol, with the indentation of the place.
 *
 * - A new body comes with its braces (`do … end`) or without. New text that defines the symbol itself replaces all of it.
 * - Lines put before a symbol are above the comment that belongs to it.
 * - The number of blank lines between them is that between the symbol and its neighbour, at most two; one if there is no
 *   neighbour, and none between single lines.
 *
 * @returns The edit, or why there is none.
 */
export function symbolEdit(
  text: string,
  options: SymbolEditOptions,
): TextEdit | { readonly fault: string } {
  const offsets = unitOffsetsIn(text);
  const { symbol, action } = options;
  const newText = options.newText.replaceAll("\r\n", "\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  if (newText.trim() === "") return { fault: "the new text is empty" };
  const start = offsets(symbol.startByte);
  const place: Place = {
    text,
    start,
    bodyStart: offsets(symbol.bodyStartByte),
    end: offsets(symbol.endByte),
    indentation: indentationAt(text, start),
    unit: indentationUnitOf(text),
  };
  const edit =
    action === "replaceBody"
      ? bodyEdit(place, { ...options, newText })
      : insertion(place, { ...options, newText });
  return "fault" in edit
    ? edit
    : {
        ...edit,
        text: withLineEnds(
          edit.text,
          lineEndAt(text, action === "insertAfter" ? place.end : edit.start),
        ),
      };
}

function bodyEdit(place: Place, options: SymbolEditOptions): TextEdit | { readonly fault: string } {
  const { newText, symbol, language } = options;
  const { text, start, bodyStart, end, indentation, unit } = place;
  if (isDefinitionOf(newText, symbol, language)) {
    const fitted = fitIndentation(newText, { indentation, unit });
    return { start, end, text: fitted.slice(indentation.length) };
  }
  if (bodyStart >= end) return { fault: `the ${symbol.kind} has no body` };
  const body = text.slice(bodyStart, end);
  // Blank lines around the text of a section stay.
  const lead = /^(?:[ \t]*\r?\n)+/.exec(body)?.[0].length ?? 0;
  if (lead > 0) {
    const tail = body.length - body.trimEnd().length;
    const start = bodyStart + Math.min(lead, body.length - tail);
    return {
      start,
      end: Math.max(start, end - tail),
      text: fitIndentation(newText, { indentation: indentationAfter(text, start), unit }),
    };
  }
  const inner = fitIndentation(newText, { indentation: innerIndentation(place), unit });
  if (body.startsWith("{")) {
    const closing = body.lastIndexOf("}");
    const after = body.slice(closing + 1);
    const block = isBlock(newText)
      ? fitIndentation(newText, { indentation, unit, isFirstInLine: false })
      : `{\n${inner}\n${indentation}}`;
    return { start: bodyStart, end, text: block + after };
  }
  const opening = /^do\b/.exec(body)?.[0] ?? "";
  if (/\bend$/.test(body)) {
    const isWhole = /^end$/m.test(newText.split("\n").at(-1)?.trim() ?? "");
    if (opening !== "" && isWhole && newText.startsWith("do"))
      return {
        start: bodyStart,
        end,
        text: fitIndentation(newText, { indentation, unit, isFirstInLine: false }),
      };
    const head = opening === "" ? "" : `${opening}\n`;
    const lines = `${head}${inner}\n${indentation}end`;
    // Of a body without an opening word the first line's indentation is before it.
    return opening === ""
      ? { start: lineStart(text, bodyStart), end, text: lines }
      : { start: bodyStart, end, text: lines };
  }
  const isOnOwnLine = text.slice(lineStart(text, bodyStart), bodyStart).trim() === "";
  if (isOnOwnLine) return { start: lineStart(text, bodyStart), end, text: inner };
  const isOneValue = isDataFormat(language) && !/\n/.test(body + newText);
  if (isOneValue) {
    const lead = /^[ \t]*/.exec(body)?.[0].length ?? 0;
    return { start: bodyStart + lead, end, text: newText };
  }
  const isBlockOfLines = /:\s*$/.test(text.slice(start, bodyStart));
  if (isBlockOfLines) return { start: blanksBefore(text, bodyStart), end, text: `\n${inner}` };
  const isClosed = body.endsWith(";") && !newText.endsWith(";");
  const fitted = fitIndentation(newText, { indentation, unit, isFirstInLine: false });
  return { start: bodyStart, end, text: `${fitted}${isClosed ? ";" : ""}` };
}

/** The indentation of a body's lines: as its first line is, else one level deeper than the symbol. */
function innerIndentation({ text, bodyStart, end, indentation, unit }: Place): string {
  const startsLine = text.slice(lineStart(text, bodyStart), bodyStart).trim() === "";
  if (startsLine) return indentationAt(text, bodyStart);
  const lines = text.slice(bodyStart, end).split("\n").slice(1, -1);
  const first = lines.find((line) => line.trim() !== "");
  const found = first === undefined ? "" : (/^[ \t]*/.exec(first)?.[0] ?? "");
  return found.length > indentation.length ? found : indentation + unit;
}

/** Tells whether a text is one pair of braces and what is in it. */
function isBlock(text: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "{") depth += 1;
    if (text[index] === "}") depth -= 1;
    if (depth === 0) return index === text.length - 1;
  }
  return false;
}

/** Tells whether a text is a definition of the symbol from its first line to its last. */
function isDefinitionOf(text: string, symbol: CodeSymbol, language: string): boolean {
  const { symbols } = extractSymbols(text, language);
  const [first] = symbols;
  if (first === undefined || symbols.length !== 1) return false;
  const isWhole =
    text.slice(0, first.startByte).trim() === "" &&
    first.endByte >= Buffer.byteLength(text.trimEnd());
  const ownName = symbol.name.slice(symbol.name.lastIndexOf("::") + 1).replace(/^:/, "");
  return (
    isWhole && first.bodyStartByte < first.endByte && [symbol.name, ownName].includes(first.name)
  );
}

function insertion(place: Place, options: SymbolEditOptions): TextEdit {
  const { text, indentation, unit } = place;
  const lines = fitIndentation(options.newText, { indentation, unit });
  const isOneLine = !lines.includes("\n") && !text.slice(place.start, place.end).includes("\n");
  // The keys of a file touch one another, whatever their indentation.
  const isOfKeys = isDataFormat(options.language) && !proseLanguages.has(options.language);
  const feed = text.indexOf("\n", place.end);
  const after = feed === -1 ? text.length : feed + 1;
  if (options.action === "insertBefore") {
    const first = withLeadingComments(text, lineStart(text, place.start), options.comments);
    const blanks = "\n".repeat(separation(text, { start: first, end: after, isOneLine, isOfKeys }));
    return { start: first, end: first, text: `${lines}\n${blanks}` };
  }
  const start = lineStart(text, place.start);
  const blanks = "\n".repeat(separation(text, { start, end: after, isOneLine, isOfKeys }));
  if (feed === -1) return { start: after, end: after, text: `\n${blanks}${lines}` };
  return { start: after, end: after, text: `${blanks}${lines}\n` };
}

/** The blank lines between the symbol and its neighbours; two single lines need none. */
function separation(
  text: string,
  {
    start,
    end,
    isOneLine,
    isOfKeys,
  }: {
    readonly start: number;
    readonly end: number;
    readonly isOneLine: boolean;
    readonly isOfKeys: boolean;
  },
): number {
  const above = /\n((?:[ \t]*\r?\n)+)$/.exec(text.slice(Math.max(0, start - 1000), start))?.[1];
  const below = /^((?:[ \t]*\r?\n)+)(?=[ \t]*\S)/.exec(text.slice(end, end + 1000))?.[1];
  const count = (above ?? below)?.split("\n").length;
  if (count === undefined) return isOneLine || isTight(text, { start, end, isOfKeys }) ? 0 : 1;
  return Math.min(2, count - 1);
}

/** Tells whether what is here touches a neighbour: the line above or below is indented alike and closes nothing. */
function isTight(
  text: string,
  {
    start,
    end,
    isOfKeys,
  }: { readonly start: number; readonly end: number; readonly isOfKeys: boolean },
): boolean {
  const own = indentationAfter(text, start);
  const above = start === 0 ? "" : text.slice(lineStart(text, start - 1), start - 1);
  const below = text.slice(end).split("\n", 1)[0] ?? "";
  if (isOfKeys && (above.trim() !== "" || below.trim() !== "")) return true;
  const isAlike = (line: string): boolean =>
    line.trim() !== "" && /^[ \t]*/.exec(line)?.[0] === own;
  return isAlike(above) || (isAlike(below) && !/^\s*(?:[})\]]|end\b|<\/)/.test(below));
}

/** The start of the comments that are right above a line, else the line's. */
function withLeadingComments(
  text: string,
  start: number,
  comments: SymbolEditOptions["comments"],
): number {
  let first = start;
  for (const comment of comments.toReversed()) {
    if (comment.end > first) continue;
    const commentLine = lineStart(text, comment.start);
    const isAlone = text.slice(commentLine, comment.start).trim() === "";
    const gap = text.slice(comment.end, first);
    if (!isAlone || !/^[ \t]*\r?\n?$/.test(gap)) break;
    first = commentLine;
  }
  return first;
}

/** The indentation of the line that begins at an offset. */
function indentationAfter(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(offset, offset + 1000))?.[0] ?? "";
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

function blanksBefore(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /[ \t]/.test(text[start - 1] as string)) start -= 1;
  return start;
}
