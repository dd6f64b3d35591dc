import type { SymbolKind } from "../symbol.ts";

/** A named part of a data file, in UTF-16 units, before lines and bytes are counted. */
export interface FormatEntry {
  readonly name: string;
  kind: SymbolKind;
  readonly start: number;
  /** Exclusive, without the line break; scanners move it while the part is open. */
  end: number;
  /** Where what is inside begins; `end` when nothing is inside. */
  bodyStart: number | null;
  /** The line that says what it is, where that is not the text up to the body. */
  readonly signature?: string;
  /** What it belongs to, where that is written with its name: a table's schema. */
  readonly container?: string;
  readonly children: FormatEntry[];
}

/** What a scanner found in a text. */
export interface FormatReading {
  readonly entries: readonly FormatEntry[];
  /** True when something is not closed, or closed and never opened. */
  readonly hasErrors: boolean;
}

/**
 * Reads one format: one pass over the text, in time proportional to its length. It never throws, and nesting does not use
 * the call stack.
 */
export type FormatScanner = (text: string) => FormatReading;

/** One format as data. */
export interface FormatSyntax {
  /** The language's name as file detection gives it. */
  readonly language: string;
  readonly scan: FormatScanner;
  /** What a skeleton puts where it left lines out. */
  readonly ellipsis: string;
}

/** Entries inside of entries; deeper ones are left out. */
export const entryDepthMax = 48;

/** Makes an entry that ends where its first line does, until more of it is seen. */
export function newEntry(entry: {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly start: number;
  readonly end: number;
  readonly bodyStart?: number;
  readonly signature?: string;
  readonly container?: string;
}): FormatEntry {
  return { bodyStart: null, ...entry, children: [] };
}
