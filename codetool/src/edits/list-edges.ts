import type { CommentRange } from "../syntax/index.ts";
import type { Stretch } from "./text-edit.ts";

const closing: { readonly [opening: string]: string } = { "(": ")", "[": "]", "{": "}" };

/** What is between the brackets of a list and its items. */
export interface ListEdges {
  /** Behind the opening bracket: white space and comments. */
  readonly before: string;
  /** In front of the closing one: those, and a last comma. */
  readonly after: string;
}

/**
 * Finds what a list that fills its brackets has at its edges: line breaks, comments and a last comma.
 *
 * @param text The whole text.
 * @param options.list Where the list is, UTF-16 units.
 * @param options.within Where its brackets have to be.
 * @param options.comments Those of the text, in order.
 * @returns Undefined where something else is between the list and its brackets.
 */
export function listEdges(
  text: string,
  options: {
    readonly list: Stretch;
    readonly within: Stretch;
    readonly comments: readonly CommentRange[];
  },
): ListEdges | undefined {
  const { list, within, comments } = options;
  const start = skipBack(text, list.start, comments);
  const end = skipAhead(text, list.end, comments);
  if (start <= within.start || end >= within.end) return undefined;
  if (closing[text[start - 1] ?? ""] !== text[end]) return undefined;
  return { before: text.slice(start, list.start), after: text.slice(list.end, end) };
}

function skipBack(text: string, from: number, comments: readonly CommentRange[]): number {
  let position = from;
  for (;;) {
    while (/\s/.test(text[position - 1] ?? "")) position -= 1;
    const comment = comments.find(({ end }) => end === position);
    if (comment === undefined) return position;
    position = comment.start;
  }
}

function skipAhead(text: string, from: number, comments: readonly CommentRange[]): number {
  let position = from;
  let hasComma = text[from - 1] === ",";
  for (;;) {
    while (/\s/.test(text[position] ?? "")) position += 1;
    const comment = comments.find(({ start }) => start === position);
    if (comment !== undefined) position = comment.end;
    else if (text[position] === "," && !hasComma) {
      hasComma = true;
      position += 1;
    } else return position;
  }
}
