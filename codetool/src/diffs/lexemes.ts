import { type LexicalShapes, lexisOf } from "../syntax/index.ts";

/** A text without what formatting changes. */
export interface Lexemes {
  /** Names, numbers, strings and signs, in order. */
  readonly words: readonly string[];
  /** Comments, their white space folded, in order. */
  readonly comments: readonly string[];
}

/**
 * Takes a text apart into words and comments, so that two texts can be compared without their formatting. White space
 * counts only inside of strings.
 *
 * @returns `undefined` for a language whose comments and strings are not known here.
 */
export function lexemesOf(text: string, language: string): Lexemes | undefined {
  const shapes = lexisOf(language)?.shapes;
  if (shapes === undefined) return undefined;
  const words: string[] = [];
  const comments: string[] = [];
  for (const match of text.matchAll(patternOf(shapes))) {
    const comment = match.groups?.["comment"];
    if (comment === undefined) words.push(match[0]);
    else comments.push(comment.replace(/\s+/g, " ").trim());
  }
  return { words, comments };
}

/** Tells whether two lists hold the same in the same order. */
export function areSameWords(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
}

const patterns = new WeakMap<LexicalShapes, RegExp>();

function patternOf(shapes: LexicalShapes): RegExp {
  let pattern = patterns.get(shapes);
  if (pattern === undefined) {
    const word = String.raw`[\p{L}\p{N}_$]+|[^\s]`;
    pattern = new RegExp(`(?<comment>${shapes.comment})|(?:${shapes.string})|${word}`, "gu");
    patterns.set(shapes, pattern);
  }
  return pattern;
}
