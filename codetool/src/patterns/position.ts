import type { PatternAssertion } from "./syntax.ts";

/** What is before a position: the edge of the line. */
export const edge = 0;
/** What is before a position: a word character. */
export const wordBefore = 1;
/** What is before a position: a character that belongs to no word. */
export const otherBefore = 2;
/** What is before a position: nothing, where the whole text begins. */
export const textEdge = 3;

/** The number that means the end of a line in transition tables. */
export const endOfLine = 256;
/** The byte that ends a line in a text of many. */
const lineFeed = 0x0a;

/** What a byte of a text of many lines is for the position after it. */
export function beforeOf(byte: number): number {
  if (byte === lineFeed) return edge;
  return isAsciiWordByte(byte) ? wordBefore : otherBefore;
}

/** Tells whether a byte is a letter, a digit or `_` of ASCII. */
export function isAsciiWordByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f
  );
}

/** A match begins at a character, never between its bytes. */
export function isWithinCharacter(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Tells whether an assertion holds between what is before a position and the byte that follows. */
export function isHolding(assertion: PatternAssertion, before: number, byte: number): boolean {
  switch (assertion) {
    case "lineStart":
      return before === edge || before === textEdge;
    case "lineEnd":
      return byte === endOfLine || byte === lineFeed;
    case "textStart":
      return before === textEdge;
    case "textEnd":
      return byte === endOfLine;
    case "wordBoundary":
      return (before === wordBefore) !== isAsciiWordByte(byte);
    case "notWordBoundary":
      return (before === wordBefore) === isAsciiWordByte(byte);
    case "outsideWord":
      return before !== wordBefore || !isAsciiWordByte(byte);
  }
}
