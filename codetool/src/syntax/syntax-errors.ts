import { errorRule } from "./matched-nodes.ts";
import type { SyntaxNode } from "../native/index.ts";
import { inventedTokensOf, parseSource } from "./parse.ts";

/** Something that is not syntax of the language. Offsets are UTF-16 units. */
export interface SyntaxFault {
  readonly start: number;
  readonly end: number;
  /** Line it begins in, from 1. */
  readonly line1: number;
  /** `skipped`: text that fits nowhere; `missing`: a token that should be here. */
  readonly kind: "skipped" | "missing";
  /** What is skipped, or the token that is missing; at most 60 characters. */
  readonly what: string;
}

/**
 * Finds what is wrong in a text, in order; an outer fault before those inside of it.
 *
 * @returns `undefined` where nothing can be said: no grammar, or a text that is not parsed.
 */
export function syntaxFaultsOf(text: string, language: string): readonly SyntaxFault[] | undefined {
  const parsed = parseSource(text, language);
  if (parsed === null) return undefined;
  if (!parsed.hasErrors) return [];
  const faultOf = (node: SyntaxNode, kind: SyntaxFault["kind"]): SyntaxFault => {
    const { start, end } = node.range();
    const what = kind === "missing" ? node.kind() : text.slice(start.index, end.index);
    return {
      start: start.index,
      end: end.index,
      line1: start.line + 1,
      kind,
      what: what.slice(0, 60).toWellFormed(),
    };
  };
  return [
    ...parsed.root.findAll({ rule: errorRule }).map((node) => faultOf(node, "skipped")),
    ...inventedTokensOf(parsed.root).map((node) => faultOf(node, "missing")),
  ].sort((left, right) => left.start - right.start || right.end - left.end);
}
