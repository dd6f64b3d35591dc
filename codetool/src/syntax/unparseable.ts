import { hasLongRepetition } from "./repetition.ts";

const unclosedAngleCountMax = 500;
const caseWithoutSwitchCountMax = 1000;
/** Comments inside of one another, in languages that name a limit: a thousand take the Swift grammar minutes. */
const commentNestingMax = 200;

/**
 * Says whether a text is of a form that parsers take hours for and no program has: thousands of `A<A<A<…` (every one
 * may open type arguments or compare), or thousands of `case` labels without a `switch`.
 *
 * Measured: 25,000 of the first take the Java grammar 18 s, 3,500 of the second the TypeScript grammar 2.3 s, both
 * growing with the square of the length or worse. Other nesting, 20,000 deep and more, parses in linear time, but in
 * languages that name a limit (Scala takes 250 ms for 1,000 brackets, 25 s for 10,000). So does text that is not a program
 * but words (10,000 of `end` take the Lua grammar 1.2 s, Scala's 3.3 s, others 20 ms).
 *
 * @param limits Infinite for languages that do not name them.
 */
export function isUnparseable(
  text: string,
  { nestingMax = Number.POSITIVE_INFINITY, wordRunMax = Number.POSITIVE_INFINITY }: ParserLimits,
): boolean {
  return (
    hasLongRepetition(text) ||
    hasManyUnclosedAngles(text) ||
    hasManyLooseCases(text) ||
    isNestedOver(text, nestingMax) ||
    hasWordRunOver(text, wordRunMax)
  );
}

/** What a parser bears, where its time grows with the square of it. */
export interface ParserLimits {
  /** Brackets inside of one another. */
  readonly nestingMax?: number;
  /** Words in a row with nothing but white space between. */
  readonly wordRunMax?: number;
}

/** No program has thousands of words without punctuation, and no comment either. */
function hasWordRunOver(text: string, wordRunMax: number): boolean {
  if (wordRunMax === Number.POSITIVE_INFINITY) return false;
  let start = 0;
  const isOver = (end: number): boolean =>
    end - start > 2 * wordRunMax &&
    (text.slice(start, end).match(/\S+/g)?.length ?? 0) > wordRunMax;
  for (const { index } of text.matchAll(/[^\w\s]+/g)) {
    if (isOver(index)) return true;
    start = index + 1;
  }
  return isOver(text.length);
}

/** Strings and comments are not told apart: no program comes near the limits. */
function isNestedOver(text: string, nestingMax: number): boolean {
  if (nestingMax === Number.POSITIVE_INFINITY) return false;
  let depth = 0;
  let commentDepth = 0;
  for (const [bracket] of text.matchAll(/[()[\]{}]|\/\*|\*\//g)) {
    if (bracket === "/*") commentDepth += 1;
    else if (bracket === "*/") commentDepth = Math.max(0, commentDepth - 1);
    else depth = Math.max(0, depth + (/[([{]/.test(bracket) ? 1 : -1));
    if (depth > nestingMax || commentDepth > commentNestingMax) return true;
  }
  return false;
}

function hasManyUnclosedAngles(text: string): boolean {
  let count = 0;
  let end = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    // Between two that belong together there are only names, and nothing that closes or ends anything.
    const isChained = at - end < 100 && /^[\w\s.:,?&*@$]*$/.test(text.slice(end, at));
    count = isChained ? count + 1 : 1;
    if (count > unclosedAngleCountMax) return true;
    end = at + 1;
  }
  return false;
}

function hasManyLooseCases(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf("case "); at >= 0; at = text.indexOf("case ", at + 5)) {
    count += 1;
    if (count > caseWithoutSwitchCountMax) return !/\b(?:switch|match|select)\b/.test(text);
  }
  return false;
}
