import type { Stretch, TextEdit } from "./text-edit.ts";

/** A stretch of the first text and what is in its place in the last one. */
export interface TextHunk {
  readonly before: Stretch;
  readonly after: Stretch;
}

const inserted = -1;

/** Follows a text through a sequence of edits: which parts of the first text are still there, and where. */
export class PieceList {
  /** Where each piece begins in the first text; `inserted` for one that is new. */
  #starts: number[];
  #lengths: number[];
  readonly #firstLength: number;

  /** @param length Of the text, in UTF-16 units. */
  constructor(length: number) {
    this.#firstLength = length;
    this.#starts = [0];
    this.#lengths = [length];
  }

  /** Records edits of the current text, sorted and without overlap. */
  apply(edits: readonly TextEdit[]): void {
    const starts = this.#starts;
    const lengths = this.#lengths;
    this.#starts = [];
    this.#lengths = [];
    let piece = 0;
    let used = 0;
    let position = 0;
    const advance = (to: number, isKept: boolean): void => {
      while (position < to) {
        const length = lengths[piece] as number;
        const count = Math.min(length - used, to - position);
        const start = starts[piece] as number;
        if (isKept) this.#push(start === inserted ? inserted : start + used, count);
        position += count;
        used += count;
        if (used < length) continue;
        piece += 1;
        used = 0;
      }
    };
    for (const edit of edits) {
      advance(edit.start, true);
      advance(edit.end, false);
      this.#push(inserted, edit.text.length);
    }
    for (; piece < starts.length; piece += 1, used = 0) {
      const start = starts[piece] as number;
      this.#push(start === inserted ? inserted : start + used, (lengths[piece] as number) - used);
    }
  }

  /** The differences between the first text and the last, in order. */
  hunks(): TextHunk[] {
    const hunks: TextHunk[] = [];
    let before = 0;
    let after = 0;
    let afterEnd = 0;
    const close = (beforeEnd: number): void => {
      if (beforeEnd === before && afterEnd === after) return;
      hunks.push({
        before: { start: before, end: beforeEnd },
        after: { start: after, end: afterEnd },
      });
    };
    for (const [index, start] of this.#starts.entries()) {
      const length = this.#lengths[index] as number;
      if (start === inserted) {
        afterEnd += length;
        continue;
      }
      close(start);
      before = start + length;
      afterEnd += length;
      after = afterEnd;
    }
    close(this.#firstLength);
    return hunks;
  }

  #push(start: number, length: number): void {
    if (length === 0) return;
    const last = this.#starts.length - 1;
    const lastStart = this.#starts[last];
    const lastLength = this.#lengths[last] ?? 0;
    const isContinued =
      lastStart !== undefined &&
      (start === inserted
        ? lastStart === inserted
        : lastStart !== inserted && lastStart + lastLength === start);
    if (isContinued) this.#lengths[last] = lastLength + length;
    else {
      this.#starts.push(start);
      this.#lengths.push(length);
    }
  }
}

/**
 * Removes unchanged whole lines from the start and end of a hunk: so a long replacement that changes one line counts as
 * that line.
 *
 * @returns The hunk in as few lines as it has; `undefined` when it changes nothing.
 */
export function tightHunk(
  texts: { readonly before: string; readonly after: string },
  { before, after }: TextHunk,
): TextHunk | undefined {
  const old = texts.before.slice(before.start, before.end);
  const now = texts.after.slice(after.start, after.end);
  if (old === now) return undefined;
  const shorter = Math.min(old.length, now.length);
  let lead = 0;
  while (lead < shorter && old[lead] === now[lead]) lead += 1;
  lead = lead === 0 ? 0 : old.lastIndexOf("\n", lead - 1) + 1;
  const isAtLineStart = lead > 0 || before.start === 0 || texts.before[before.start - 1] === "\n";
  const startsLine = (text: string, length: number): boolean =>
    length === text.length - lead ? isAtLineStart : text[text.length - length - 1] === "\n";
  let tail = 0;
  for (let length = 1; length <= shorter - lead; length += 1) {
    if (old[old.length - length] !== now[now.length - length]) break;
    if (startsLine(old, length) && startsLine(now, length)) tail = length;
  }
  return {
    before: { start: before.start + lead, end: before.end - tail },
    after: { start: after.start + lead, end: after.end - tail },
  };
}
