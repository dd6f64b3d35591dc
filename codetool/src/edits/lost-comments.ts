import { type CommentRange, commentRangesOf } from "../syntax/index.ts";
import type { TextEdit } from "./text-edit.ts";

/** A comment that an edit takes away. */
export interface LostComment {
  readonly text: string;
  /** Where it was, from 1. */
  readonly line1: number;
}

/**
 * Finds the comments that edits take away. One that is elsewhere in the new text is not lost.
 *
 * @param texts The text before and after.
 * @param edits Those of the text before, in order.
 * @param options.comments Comments of the text before, in order.
 * @returns In their order; empty where the new text cannot be parsed.
 */
export function lostComments(
  texts: { readonly before: string; readonly after: string },
  edits: readonly TextEdit[],
  options: { readonly comments: readonly CommentRange[]; readonly language: string },
): readonly LostComment[] {
  const { before, after } = texts;
  const touched = options.comments.filter((comment) =>
    edits.some(({ start, end }) => start <= comment.start && comment.end <= end),
  );
  if (touched.length === 0) return [];
  const left = commentRangesOf(after, options.language, { withDocumentation: false });
  if (left === undefined) return [];
  const surplus = new Map<string, number>();
  const count = (text: string, by: number): void =>
    void surplus.set(text, (surplus.get(text) ?? 0) + by);
  for (const { start, end } of options.comments) count(before.slice(start, end), 1);
  for (const { start, end } of left) count(after.slice(start, end), -1);
  return touched.flatMap(({ start, end }) => {
    const text = before.slice(start, end);
    if ((surplus.get(text) ?? 0) <= 0) return [];
    count(text, -1);
    return [{ text, line1: before.slice(0, start).split("\n").length }];
  });
}
