import { extractSymbols, isDataFormat, syntaxFaultsOf, type SyntaxFault } from "../syntax/index.ts";
import { lineHunksOf } from "./line-changes.ts";
import type { TextHunk } from "./piece-list.ts";

/** The effect of an edit on the syntax of a text. */
export type SyntaxVerdict =
  | { readonly kind: "valid" | "unknown" }
  /** It had faults before, and the edit added none. */
  | { readonly kind: "as before"; readonly faultCount: number }
  | { readonly kind: "broken"; readonly line1: number; readonly reason: string };

/**
 * Compares the syntax of a text before and after an edit: an edit may leave old faults, and must not add any.
 *
 * A fault counts as added when there are more than before, or when one reaches into lines that were edited and had none.
 */
export function compareSyntax(
  texts: { readonly before: string; readonly after: string },
  hunks: readonly TextHunk[],
  language: string,
): SyntaxVerdict {
  if (language === "json") return compareJson(texts, hunks);
  if (isDataFormat(language)) return compareFormat(texts, hunks, language);
  const after = syntaxFaultsOf(texts.after, language);
  if (after === undefined) return { kind: "unknown" };
  if (after.length === 0) return { kind: "valid" };
  const before = syntaxFaultsOf(texts.before, language) ?? [];
  const lines = lineHunksOf(texts, hunks);
  const added = after.filter((fault) =>
    lines.some(
      (hunk) =>
        isTouching(fault, hunk.after) && !before.some((each) => isTouching(each, hunk.before)),
    ),
  );
  // One that holds the edit and more begins where the parser gave up, which says nothing about where the edit is wrong.
  const isWithin = (fault: SyntaxFault): boolean =>
    lines.every(({ after: hunk }) => fault.start >= hunk.start || fault.end <= hunk.end);
  const first =
    added.find(isWithin) ??
    added[0] ??
    (after.length > before.length ? newFaultOf(after, before) : undefined);
  if (first === undefined) return { kind: "as before", faultCount: after.length };
  if (added.includes(first) && !isWithin(first)) {
    const line1 = lineOf(texts.after, lines[0]?.after.start ?? 0);
    return { kind: "broken", line1, reason: "with it the code around it cannot be parsed" };
  }
  const { line1, kind, what } = first;
  const shown = what.split("\n", 1)[0] ?? "";
  const reason = kind === "missing" ? `"${shown}" is missing` : `unexpected "${shown}"`;
  return { kind: "broken", line1, reason };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Other formats have no grammar here, only a scanner, which finds brackets and quotes that are not closed. */
function compareFormat(
  texts: { readonly before: string; readonly after: string },
  hunks: readonly TextHunk[],
  language: string,
): SyntaxVerdict {
  if (!extractSymbols(texts.after, language).hasErrors) return { kind: "unknown" };
  if (extractSymbols(texts.before, language).hasErrors) return { kind: "as before", faultCount: 1 };
  const line1 = lineOf(texts.after, hunks[0]?.after.start ?? 0);
  return { kind: "broken", line1, reason: "a bracket or a quote is not closed" };
}

/** JSON has no grammar here, only a reader: a text that was valid before must be valid after; otherwise nothing is checked. */
function compareJson(
  texts: { readonly before: string; readonly after: string },
  hunks: readonly TextHunk[],
): SyntaxVerdict {
  const reason = faultOfJson(texts.after);
  if (reason === undefined) return { kind: "valid" };
  if (faultOfJson(texts.before) !== undefined) return { kind: "as before", faultCount: 1 };
  const offset = Number(/ position (\d+)/.exec(reason)?.[1] ?? hunks[0]?.after.start ?? 0);
  const line1 = lineOf(texts.after, offset);
  return {
    kind: "broken",
    line1,
    reason: reason.replace(/ in JSON at position .*$|\s+/gs, " ").trim(),
  };
}

function faultOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The first fault whose text was not a fault before. */
function newFaultOf(after: readonly SyntaxFault[], before: readonly SyntaxFault[]): SyntaxFault {
  const known = new Set(before.map(({ kind, what }) => `${kind} ${what}`));
  const found = after.find(({ kind, what }) => !known.has(`${kind} ${what}`));
  return found ?? (after[0] as SyntaxFault);
}

function isTouching(
  fault: { readonly start: number; readonly end: number },
  stretch: { readonly start: number; readonly end: number },
): boolean {
  return fault.start <= stretch.end && stretch.start <= fault.end;
}
