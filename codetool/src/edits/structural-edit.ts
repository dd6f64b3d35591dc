import {
  type CommentRange,
  commentRangesOf,
  compilePattern,
  faultOfPattern,
  openForPatterns,
  type StructuralMatch,
  type StructuralPattern,
} from "../syntax/index.ts";
import { gapsOf, keptLayout, type PatternGaps, type Template } from "./kept-layout.ts";
import { lineEndAt, withLineEnds } from "./line-view.ts";
import { listEdges, type ListEdges } from "./list-edges.ts";
import { lostComments } from "./lost-comments.ts";
import { PieceList, tightHunk } from "./piece-list.ts";
import type { EditedText } from "./replace-all.ts";
import { applyEdits, type Stretch, type TextEdit } from "./text-edit.ts";

/** Code with placeholders and the code that takes its place, checked; compiled once for each language. */
export interface StructuralRewrite {
  readonly pattern: string;
  readonly template: Template;
  readonly gaps: PatternGaps;
  readonly compiled: Map<string, StructuralPattern | null>;
}

const placeholder = /\$\$\$([A-Z_][A-Z0-9_]*)|\$\$?([A-Z_][A-Z0-9_]*)/g;

/**
 * Checks a pattern of code and its replacement.
 *
 * @returns The rewrite; or which of the two is wrong, and why.
 */
export function checkStructural(
  pattern: string,
  replacement: string,
):
  | { readonly rewrite: StructuralRewrite }
  | { readonly argument: "structural" | "replace"; readonly fault: string } {
  const fault = faultOfPattern(pattern);
  if (fault !== null) return { argument: "structural", fault };
  const known = new Set([...pattern.matchAll(placeholder)].map(([, list, node]) => list ?? node));
  const template: Template[number][] = [];
  let position = 0;
  for (const found of replacement.matchAll(placeholder)) {
    const [written, list, node] = found;
    const name = list ?? node ?? "";
    if (!known.has(name) || name.startsWith("_")) {
      const names = [...known].filter((each) => each?.startsWith("_") === false);
      const has = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
      return {
        argument: "replace",
        fault: `the pattern has no placeholder that is called "${name}", ${has}`,
      };
    }
    template.push({ text: replacement.slice(position, found.index) });
    template.push({ name, isList: list !== undefined });
    position = found.index + written.length;
  }
  template.push({ text: replacement.slice(position) });
  const gaps = gapsOf(pattern, placeholder);
  return { rewrite: { pattern, template, gaps, compiled: new Map() } };
}

/**
 * Replaces all places of a text that a pattern of code matches. A match inside of what a placeholder means is replaced
 * too, so `f(f(1))` becomes `f(f(1, 2), 2)`. Where a list of nothing leaves a comma, that one goes as well. A list that
 * fills its brackets in the text and in the replacement keeps what is at its edges: line breaks, comments, a last comma. So
 * does what is between placeholders: see `keptLayout`.
 *
 * @param options.within Where matches may be; default the whole text.
 */
export function rewriteStructure(
  text: string,
  { pattern, template, gaps, compiled }: StructuralRewrite,
  options: { readonly language: string; readonly within?: readonly Stretch[] },
): EditedText {
  const source = openForPatterns(text, options.language);
  const none = { text, hunks: [], replacementCount: 0, unfound: [0], further: [] };
  if (source === null) return none;
  let ready = compiled.get(source.language);
  if (ready === undefined)
    compiled.set(source.language, (ready = compilePattern(pattern, source.language)));
  if (ready === null || !ready.mayMatch(Buffer.from(text, "utf8"))) return none;
  const matches = ready
    .findAll(source)
    .filter(
      ({ start, end }) =>
        options.within?.some((stretch) => stretch.start <= start && end <= stretch.end) ?? true,
    );
  if (matches.length === 0) return none;
  const comments = commentRangesOf(text, options.language, { withDocumentation: false }) ?? [];
  const writer = new MatchWriter(text, { matches, template, gaps, comments });
  const edits = writer.editsIn({ start: 0, end: text.length });
  const after = applyEdits(text, edits);
  const pieces = new PieceList(text.length);
  pieces.apply(edits);
  const texts = { before: text, after };
  const hunks = pieces.hunks().flatMap((hunk) => tightHunk(texts, hunk) ?? []);
  const lost = lostComments(texts, edits, { comments, language: options.language });
  return { text: after, hunks, replacementCount: writer.count, unfound: [], further: [], lost };
}

class MatchWriter {
  count = 0;
  readonly #text: string;
  readonly #matches: readonly StructuralMatch[];
  readonly #template: Template;
  readonly #gaps: PatternGaps;
  readonly #comments: readonly CommentRange[];

  constructor(
    text: string,
    parts: {
      readonly matches: readonly StructuralMatch[];
      readonly template: Template;
      readonly gaps: PatternGaps;
      readonly comments: readonly CommentRange[];
    },
  ) {
    this.#text = text;
    this.#matches = parts.matches;
    this.#template = parts.template;
    this.#gaps = parts.gaps;
    this.#comments = parts.comments;
  }

  /** The edits of the outermost matches that lie in a stretch and are not all of `besides`. */
  editsIn(stretch: Stretch, besides?: StructuralMatch): TextEdit[] {
    const edits: TextEdit[] = [];
    let position = stretch.start;
    for (const match of this.#matches) {
      if (match === besides || match.start < position || match.end > stretch.end) continue;
      edits.push({ start: match.start, end: match.end, text: this.#written(match) });
      position = match.end;
    }
    return edits;
  }

  #written(match: StructuralMatch): string {
    this.count += 1;
    const captures = new Map(match.captures().map((capture) => [capture.name, capture]));
    const lineEnd = lineEndAt(this.#text, match.start);
    const template = this.#template.map((part) =>
      "text" in part ? { text: withLineEnds(part.text, lineEnd) } : part,
    );
    const kept = keptLayout({
      text: this.#text,
      match,
      comments: this.#comments,
      template,
      gaps: this.#gaps,
      rangeOf: (name) => captures.get(name)?.range ?? null,
    });
    let written = "";
    let isAfterNothing = false;
    for (const [index, part] of template.entries()) {
      if ("text" in part) {
        const own = kept.get(index) ?? part.text;
        written += isAfterNothing ? own.replace(/^\s*,\s*/, "") : own;
        isAfterNothing = false;
        continue;
      }
      const range = captures.get(part.name)?.range ?? null;
      const inner = range === null ? "" : this.#rewritten(range, match);
      const edges = range === null ? undefined : this.#edgesOf(range, match, index);
      if (edges !== undefined) {
        written += `${edges.before}${inner}${edges.after}`;
        continue;
      }
      if (inner === "" && part.isList) {
        const isFirst = /[([{]\s*$/.test(written);
        if (!isFirst) written = written.replace(/,\s*$/, "");
        isAfterNothing = isFirst;
      }
      written += part.isList ? inner.replace(/,\s*$/, "") : inner;
    }
    return written;
  }

  /** What is at the edges of a list that fills its brackets, in the text and in the replacement. */
  #edgesOf(list: Stretch, match: StructuralMatch, index: number): ListEdges | undefined {
    const part = this.#template[index];
    if (part === undefined || "text" in part || !part.isList) return undefined;
    const [before, after] = [this.#template[index - 1], this.#template[index + 1]];
    const isAlone =
      before !== undefined &&
      after !== undefined &&
      "text" in before &&
      "text" in after &&
      /[([{]$/.test(before.text) &&
      /^[)\]}]/.test(after.text);
    if (!isAlone) return undefined;
    return listEdges(this.#text, { list, within: match, comments: this.#comments });
  }

  #rewritten(range: Stretch, match: StructuralMatch): string {
    const edits = this.editsIn(range, match).map(({ start, end, text }) => ({
      start: start - range.start,
      end: end - range.start,
      text,
    }));
    return applyEdits(this.#text.slice(range.start, range.end), edits);
  }
}
