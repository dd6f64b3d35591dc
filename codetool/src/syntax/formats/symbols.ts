import { byteOffsetsOf } from "../byte-offsets.ts";
import type { CodeSymbol } from "../symbol.ts";
import { entryDepthMax, type FormatEntry, type FormatSyntax } from "./entry.ts";

/** UTF-16 units of a name and of a signature. */
const lengthMax = 300;
/** Entries of one file; the rest of a longer file is left out. */
const entryCountMax = 400_000;

/**
 * The entries of a text as symbols.
 *
 * @param text The decoded text, as long as any that is parsed.
 * @param format The format it is in.
 */
export function symbolsOfFormat(
  text: string,
  format: FormatSyntax,
): {
  readonly symbols: readonly CodeSymbol[];
  readonly hasErrors: boolean;
  readonly isComplete: boolean;
} {
  const { entries, hasErrors } = format.scan(text);
  const toBytes = byteOffsetsOf(text);
  const toLine1 = lineNumbersOf(text);
  let count = 0;
  let isComplete = true;
  const finish = (entry: FormatEntry, depth: number): CodeSymbol => {
    const { kind, start, end } = entry;
    const bodyStart = Math.min(entry.bodyStart ?? end, end);
    count += 1;
    const isTooMuch =
      entry.children.length > 0 && (depth >= entryDepthMax || count > entryCountMax);
    if (isTooMuch) isComplete = false;
    return {
      name: bounded(entry.name) || '""',
      kind,
      startLine1: toLine1(start),
      endLine1: toLine1(end),
      startByte: toBytes(start),
      endByte: toBytes(end),
      bodyStartByte: toBytes(bodyStart),
      signature: bounded(entry.signature ?? firstLine(text, entry)),
      isExported: true,
      ...(entry.container === undefined ? {} : { container: entry.container }),
      children: isTooMuch ? [] : entry.children.map((child) => finish(child, depth + 1)),
    };
  };
  const symbols = entries.slice(0, entryCountMax).map((entry) => finish(entry, 1));
  return { symbols, hasErrors, isComplete: isComplete && symbols.length === entries.length };
}

/** What is in the entry's first line up to its end, folded. */
function firstLine(text: string, { start, end, bodyStart, kind }: FormatEntry): string {
  const bound = Math.min(kind === "const" ? end : (bodyStart ?? end), start + 4 * lengthMax);
  const line = text.slice(start, bound).trimEnd().split("\n", 1)[0] ?? "";
  return line.trimEnd().replace(/[{[(;]$/, "");
}

/** On one line and not too long. */
function bounded(text: string): string {
  const folded = text
    .slice(0, 4 * lengthMax)
    .replaceAll("\0", "\uFFFD")
    .replace(/\s+/g, " ")
    .trim();
  return folded.length <= lengthMax ? folded : `${folded.slice(0, lengthMax - 1).trimEnd()}…`;
}

/** Makes a function from offsets to line numbers, counted once. */
function lineNumbersOf(text: string): (offset: number) => number {
  const starts: number[] = [0];
  for (let found = text.indexOf("\n"); found !== -1; found = text.indexOf("\n", found + 1))
    starts.push(found + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? Number.POSITIVE_INFINITY) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
