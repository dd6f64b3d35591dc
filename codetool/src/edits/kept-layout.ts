import type { CommentRange } from "../syntax/index.ts";
import { closingBrackets, edgeAfter, edgeBefore } from "./list-edges.ts";
import type { Stretch } from "./text-edit.ts";

/** A replacement: texts at even places, and between two of them what a placeholder means. */
export type Template = readonly (
  | { readonly text: string }
  | { readonly name: string; readonly isList: boolean }
)[];

/** What is between two placeholders that follow each other in the pattern, each of them there once: by `A B`. */
export type PatternGaps = ReadonlyMap<string, string>;

/** Finds the gaps of a pattern. */
export function gapsOf(pattern: string, placeholder: RegExp): PatternGaps {
  const found = [...pattern.matchAll(placeholder)].map((each) => {
    const [written, list, node] = each;
    return { name: list ?? node ?? "", start: each.index, end: each.index + written.length };
  });
  const counts = Map.groupBy(found, ({ name }) => name);
  const gaps = new Map<string, string>();
  for (const [index, right] of found.entries()) {
    const left = found[index - 1];
    if (left === undefined) continue;
    const isOnce = [left, right].every(({ name }) => counts.get(name)?.length === 1);
    if (isOnce) gaps.set(`${left.name} ${right.name}`, pattern.slice(left.end, right.start));
  }
  return gaps;
}

/** A match, and what it is replaced by. */
export interface RewrittenMatch {
  readonly text: string;
  readonly match: Stretch;
  readonly comments: readonly CommentRange[];
  readonly template: Template;
  readonly gaps: PatternGaps;
  /** Where a placeholder's code is; `null` for none. */
  readonly rangeOf: (name: string) => Stretch | null;
}

/**
 * Finds which texts of a replacement stay as the source has them, with its line breaks and comments: what is between
 * two placeholders where the pattern has the same between them, and the edges of a list of them that fills its brackets.
 *
 * @returns What is written instead of a text of the template, by its place in it.
 */
export function keptLayout(rewritten: RewrittenMatch): ReadonlyMap<number, string> {
  const { template } = rewritten;
  const kept = new Map<number, string>();
  const runs: { first: number; last: number }[] = [];
  for (let place = 1; place < template.length; place += 2) {
    const gap = place === 1 ? undefined : keptGap(place - 1, rewritten);
    const run = runs.at(-1);
    if (gap === undefined || run === undefined) {
      runs.push({ first: place, last: place });
      continue;
    }
    kept.set(place - 1, gap);
    run.last = place;
  }
  for (const run of runs) keepEdges(run, rewritten, kept);
  return kept;
}

/** The source between two placeholders; `undefined` where the replacement has something else there. */
function keptGap(place: number, rewritten: RewrittenMatch): string | undefined {
  const { template, gaps, rangeOf, text, comments } = rewritten;
  const [left, right] = [template[place - 1], template[place + 1]];
  if (left === undefined || right === undefined || "text" in left || "text" in right)
    return undefined;
  const written = bare(textAt(template, place));
  const wanted = gaps.get(`${left.name} ${right.name}`);
  const [before, after] = [rangeOf(left.name), rangeOf(right.name)];
  if (wanted === undefined || bare(wanted) !== written || before === null || after === null)
    return undefined;
  const gap = { start: before.end, end: after.start };
  if (gap.start > gap.end || bare(withoutComments(text, gap, comments)) !== written)
    return undefined;
  const source = text.slice(gap.start, gap.end);
  // Outside of brackets a line break may end what is written.
  return source.includes("\n") && !isInBrackets(template, place) ? undefined : source;
}

function keepEdges(
  { first, last }: { readonly first: number; readonly last: number },
  { template, rangeOf, text, match, comments }: RewrittenMatch,
  kept: Map<number, string>,
): void {
  const [from, to] = [template[first], template[last]];
  if (from === undefined || to === undefined || "text" in from || "text" in to) return;
  const [start, end] = [rangeOf(from.name)?.start, rangeOf(to.name)?.end];
  // A list may end with a comma of its own: alone it is written elsewhere.
  if (start === undefined || end === undefined || to.isList) return;
  const textBefore = kept.get(first - 1) ?? textAt(template, first - 1);
  const textAfter = textAt(template, last + 1);
  const [, opening = "", head = ""] = /^([^]*[([{])([^([{)\]}"'`]*)$/.exec(textBefore) ?? [];
  const [, tail = "", closing = ""] = /^([^([{)\]}"'`]*)([)\]}][^]*)$/.exec(textAfter) ?? [];
  const options = { within: match, comments };
  const before = edgeBefore(text, start, options);
  const after = edgeAfter(text, end, options);
  const isBefore = before !== undefined && before.bracket === opening.at(-1);
  const isAfter =
    after !== undefined && after.bracket === closing[0] && !tail.trimEnd().endsWith(",");
  const isOneList =
    opening === "" || closing === "" || closingBrackets[opening.at(-1) ?? ""] === closing[0];
  if (isBefore && (isAfter || !isOneList))
    kept.set(first - 1, `${opening}${before.edge}${head.trimStart()}`);
  if (isAfter && (isBefore || !isOneList))
    kept.set(last + 1, `${tail.trimEnd()}${after.edge}${closing}`);
}

function textAt(template: Template, place: number): string {
  const part = template[place];
  return part !== undefined && "text" in part ? part.text : "";
}

function bare(text: string): string {
  return text.replace(/\s+/g, "");
}

function withoutComments(
  text: string,
  { start, end }: Stretch,
  comments: readonly CommentRange[],
): string {
  let rest = "";
  let position = start;
  for (const comment of comments) {
    if (comment.start < start || comment.end > end) continue;
    rest += text.slice(position, comment.start);
    position = comment.end;
  }
  return rest + text.slice(position, end);
}

/** Whether a place of the replacement is in brackets of it. */
function isInBrackets(template: Template, place: number): boolean {
  let depth = 0;
  for (let at = 0; at < place; at += 2)
    for (const character of textAt(template, at))
      if (/[([{]/.test(character)) depth += 1;
      else if (/[)\]}]/.test(character)) depth -= 1;
  return depth > 0;
}
