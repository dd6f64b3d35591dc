import type { CommentRange } from "../syntax/index.ts";
import type { Stretch } from "./text-edit.ts";

/** The closing bracket of each opening one. */
export const closingBrackets: { readonly [opening: string]: string } = {
  "(": ")",
  "[": "]",
  "{": "}",
};

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
  const before = edgeBefore(text, list.start, { within, comments });
  const after = edgeAfter(text, list.end, { within, comments });
  if (before === undefined || after === undefined) return undefined;
  if (after.bracket !== closingBrackets[before.bracket]) return undefined;
  return { before: before.edge, after: after.edge };
}

/** What is between a bracket and the item next to it. */
export interface Edge {
  readonly edge: string;
  /** The bracket, or what else is there. */
  readonly bracket: string;
}

interface EdgeOptions {
  /** Where the bracket has to be. */
  readonly within: Stretch;
  readonly comments: readonly CommentRange[];
}

/** What is in front of an offset: white space and comments. */
export function edgeBefore(text: string, at: number, options: EdgeOptions): Edge | undefined {
  const start = skipBack(text, at, options.comments);
  if (start <= options.within.start) return undefined;
  return { edge: text.slice(start, at), bracket: text[start - 1] ?? "" };
}

/** What is behind an offset: white space, comments and one comma. */
export function edgeAfter(text: string, at: number, options: EdgeOptions): Edge | undefined {
  const end = skipAhead(text, at, options.comments);
  if (end >= options.within.end) return undefined;
  return { edge: text.slice(at, end), bracket: text[end] ?? "" };
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
