import type { CodeSymbol } from "../../codetool/src/syntax/index.ts";

/** A definition with what is written about it; byte ranges of the file. */
export interface Definition {
  readonly name: string;
  readonly startByte: number;
  readonly endByte: number;
}

/** Where a definition begins, in languages without a grammar: the name is the first group that matched. */
const openings: ReadonlyMap<string, RegExp> = new Map([
  ["bash", /^\s*(?:function\s+([\w:.-]+)|([\w:.-]+)\s*\(\)\s*\{?\s*)/],
  ["shell", /^\s*(?:function\s+([\w:.-]+)|([\w:.-]+)\s*\(\)\s*\{?\s*)/],
  ["lua", /^\s*(?:local\s+)?function\s+([\w.:]+)|^\s*(?:local\s+)?([\w.]+)\s*=\s*function\b/],
  ["elixir", /^\s*(?:defp?|defmacrop?|defmodule|defprotocol|defguard)\s+([\w.?!]+)/],
  ["haskell", /^(?:data|newtype|type|class|instance)\s+(\w+)|^([a-z]\w*'?)\s*(?:,[^:]*)?::/],
  [
    "zig",
    /^\s*(?:pub\s+)?(?:export\s+|inline\s+)*(?:fn\s+(\w+)|const\s+(\w+)\s*=\s*(?:packed |extern )?(?:struct|union|enum))/,
  ],
]);

const definitionLinesMax = 80;

/**
 * The definitions of a file, those inside others included.
 *
 * @param text The file, UTF-8.
 * @param symbols What the grammar found; empty for languages without one.
 */
export function definitionsOf(
  text: Buffer,
  language: string,
  symbols: readonly CodeSymbol[],
): Definition[] {
  if (symbols.length > 0) return flatten(symbols);
  const opening = openings.get(language);
  return opening === undefined ? [] : scan(text, opening);
}

function flatten(symbols: readonly CodeSymbol[]): Definition[] {
  return symbols.flatMap((symbol) => [
    { name: symbol.name, startByte: symbol.startByte, endByte: symbol.endByte },
    ...flatten(symbol.children),
  ]);
}

/** A definition reaches up to the next line that begins one, or that is indented less. */
function scan(text: Buffer, opening: RegExp): Definition[] {
  const found: Definition[] = [];
  let open: { name: string; startByte: number; indent: number; lines: number } | null = null;
  let at = 0;
  const close = (endByte: number): void => {
    if (open !== null) found.push({ name: open.name, startByte: open.startByte, endByte });
    open = null;
  };
  for (const line of text.toString("latin1").split("\n")) {
    const match = opening.exec(line);
    const indent = line.search(/\S/);
    if (open !== null) {
      const { lines, indent: own } = open as { lines: number; indent: number };
      if (lines >= definitionLinesMax || (indent >= 0 && indent < own)) close(at);
      else (open as { lines: number }).lines += 1;
    }
    if (match !== null) {
      const name = match.slice(1).find((group) => group !== undefined) as string;
      const isSame = open !== null && (open as { name: string }).name === name;
      if (!isSame) {
        close(at);
        open = { name, startByte: at, indent, lines: 1 };
      }
    }
    at += line.length + 1;
  }
  close(text.length);
  return found;
}

const commentLinesMax = 60;
const commentMark =
  /^(?:\/\/|\/\*|\*|#(?!include|define|if|else|endif|pragma|!|\[)|--|;;|<!--|%|\{-)/;
const quote = /^(?:@(?:module|type)?doc\s+(?:~[sS])?)?(?:"""|''')/;

/** The bytes of a comment: right before a definition, or the string at the beginning of its body. */
export interface CommentRange {
  readonly startByte: number;
  readonly endByte: number;
}

/** The comment directly before a place, or `null`. */
export function commentBefore(text: Buffer, startByte: number): CommentRange | null {
  let lineStart = text.lastIndexOf(0x0a, startByte - 1) + 1;
  if (startByte === 0) return null;
  const endByte = lineStart;
  let isInQuotes = false;
  let top = lineStart;
  for (let count = 0; count < commentLinesMax && lineStart > 0; count += 1) {
    const before = lineStart < 2 ? 0 : text.lastIndexOf(0x0a, lineStart - 2) + 1;
    const line = text.toString("utf8", before, lineStart).trim();
    const isQuote = quote.test(line);
    if (isInQuotes) isInQuotes = !isQuote;
    else if (isQuote) isInQuotes = !/"""\S.*"""$/.test(line);
    else if (!commentMark.test(line) && !/^@(spec|impl|doc)\b/.test(line)) break;
    lineStart = before;
    top = before;
  }
  return top < endByte && !isInQuotes ? { startByte: top, endByte } : null;
}

/** The documentation string at the beginning of a Python body, or `null`. */
export function docstringIn(text: Buffer, definition: Definition): CommentRange | null {
  const head = text.toString(
    "latin1",
    definition.startByte,
    Math.min(definition.endByte, definition.startByte + 6000),
  );
  const found = /:\s*(?:#[^\n]*)?\n\s*[rRuUbB]?("""|''')([\s\S]*?)\1/.exec(head);
  if (found === null || found.index > 1200) return null;
  const before = head.slice(0, found.index);
  if (/\n\s*(?:return|if|for|with|self|raise)\b/.test(before)) return null;
  return {
    startByte: definition.startByte + found.index + 1,
    endByte: definition.startByte + found.index + found[0].length,
  };
}
