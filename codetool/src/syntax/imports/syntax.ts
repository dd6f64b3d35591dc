import type { ImportReference } from "../import-reference.ts";

/** A matched node: where it is and what it says. */
export interface ImportStatement {
  readonly kind: string;
  /** Source of the node. */
  readonly text: string;
  /** UTF-16 offsets in the source. */
  readonly start: number;
  readonly end: number;
  readonly line1: number;
}

/** What a statement says. */
export interface ImportEffect {
  readonly imports?: readonly Omit<ImportReference, "line1">[];
  /** A package or namespace that definitions of this file belong to. */
  readonly namespace?: string;
}

/** Reads the statements of one file, in document order; it may remember what it has read. */
export type ImportReader = (statement: ImportStatement) => ImportEffect | null;

/** Which nodes are statements of import. */
export interface ImportMatcher {
  readonly kind: string;
  /** What must hold besides the kind, in the native library's words. */
  readonly rule?: object;
  /** The matcher counts only in a text where this is found: keeps frequent kinds out of most files. */
  readonly when?: RegExp;
}

/** How one language writes imports. */
export interface ImportSyntax {
  readonly languages: readonly string[];
  readonly matchers: readonly ImportMatcher[];
  /** Makes the reader of one file. */
  readonly begin: (source: string) => ImportReader;
  /** Finds imports in the text itself, where no node says them. */
  readonly scan?: (source: string) => readonly ImportReference[];
  /** Which names a file uses are wanted, where it sees others without naming each. */
  readonly usedNames?: UsedNames;
}

/** Words that begin with a capital, words that no dot is before, or all words. */
export type UsedNames = "capital" | "unqualified" | "word";
