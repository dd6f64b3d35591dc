import type { TextEdit } from "../../edits/index.ts";
import { hasWord, type Mention } from "../../syntax/index.ts";
import type { MentionedPlace } from "./payload.ts";

/** A file whose comments and strings are looked at. */
export interface MentioningFile {
  readonly shown: string;
  readonly text: string;
  /** Its places of the name in comments and strings. */
  readonly mentions: readonly Mention[];
  /** It sees what is renamed. */
  readonly isNear: boolean;
  /** What is renamed in it. */
  readonly edits: readonly TextEdit[];
  /** Lines that are listed already, from 1. */
  readonly left: readonly { readonly line1: number }[];
}

/** Gathers the lines whose comments and strings have the old name: they stay, and a program in a string may need them. */
export class MentionedLines {
  readonly #near: MentionedPlace[] = [];
  readonly #far: MentionedPlace[] = [];

  /** Adds the lines of a file; of one that does not see what is renamed only strings that look like code. */
  add({ shown, text, mentions, isNear, edits, left }: MentioningFile): void {
    const renamed = new Set(edits.map(({ start }) => start));
    const known = new Set(left.map(({ line1 }) => line1));
    const lines = text.split("\n");
    for (const { start, line1, kind } of mentions) {
      if (renamed.has(start) || known.has(line1)) continue;
      if (!isNear && (kind === "comment" || !looksLikeCode(text, start))) continue;
      known.add(line1);
      const line = (lines[line1 - 1] ?? "").trim().slice(0, 200);
      (isNear ? this.#near : this.#far).push({ file: shown, line: line1, text: line, in: kind });
    }
  }

  /** Those of files that see what is renamed, and then the others. */
  get all(): readonly MentionedPlace[] {
    return [...this.#near, ...this.#far];
  }
}

/** Whether a name in a string is written as names are in code: called, behind a dot, imported, defined. */
function looksLikeCode(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  if (
    /(?:[\w)\]]\.|::|->|\bimport\b[\w\s{},*]*|\b(?:new|class|def|func|function|extends)\s+)$/.test(
      before,
    )
  )
    return true;
  const behind = /^[\p{L}\p{N}_$]+(.?.?)/u.exec(text.slice(start, start + 200))?.[1] ?? "";
  return /^(?:\(|\.\w|::)/.test(behind);
}

/** Whether a file names one of some types. */
export function namesType(
  text: string,
  types: ReadonlyMap<string, { readonly name: string }>,
): boolean {
  return [...types.values()].some(({ name }) => hasWord(text, name));
}
