import { characterClasses as c } from "./token-counter-table.ts";

// The regular expression of o200k_base, alternatives in order:
//
//   A  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   B  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   C  \p{N}{1,3}
//   D   ?[^\s\p{L}\p{N}]+[\r\n/]*
//   E  \s*[\r\n]+
//   F  \s+(?!\S)
//   G  \s+
//
// Written out by hand it takes linear time on any input. Every byte of a character carries the character's class, so
// runs are runs of bytes, and only the places that take or give back one character look at UTF-8.
const letter = c.upper | c.lower | c.otherLetter;
const upperRun = c.upper | c.otherLetter | c.mark;
const lowerRun = c.lower | c.otherLetter | c.mark;
const both = c.otherLetter | c.mark;
const prefix = c.mark | c.space | c.symbol;
const punctuation = c.mark | c.symbol;
const whiteSpace = c.space | c.newline;

/**
 * Gives every byte of a UTF-8 text the class of its character.
 *
 * @param text Well-formed UTF-8.
 * @param classes Class by code point.
 * @param target As long as `text` at least; filled.
 */
export function classifyBytes(text: Uint8Array, classes: Uint8Array, target: Uint8Array): void {
  const { length } = text;
  let index = 0;
  while (index < length) {
    const byte = text[index] as number;
    if (byte < 0x80) {
      target[index] = classes[byte] as number;
      index += 1;
      continue;
    }
    const second = (text[index + 1] as number) & 0x3f;
    const third = (text[index + 2] as number) & 0x3f;
    const fourth = (text[index + 3] as number) & 0x3f;
    const [codePoint, size] =
      byte < 0xe0
        ? [((byte & 0x1f) << 6) | second, 2]
        : byte < 0xf0
          ? [((byte & 0x0f) << 12) | (second << 6) | third, 3]
          : [((byte & 0x07) << 18) | (second << 12) | (third << 6) | fourth, 4];
    const characterClass = classes[codePoint] as number;
    for (const end = index + size; index < end; index += 1) target[index] = characterClass;
  }
}

/**
 * Finds where the piece that begins at `start` ends.
 *
 * @param text Well-formed UTF-8.
 * @param kinds Class of each byte of `text`, from `classifyBytes`; as long as it.
 * @param start Byte offset of the piece, before the end.
 * @returns The byte offset after the piece, always beyond `start`.
 */
export function endOfPiece(text: Uint8Array, kinds: Uint8Array, start: number): number {
  const kind = kinds[start] as number;
  const word = (kind & (letter | prefix)) === 0 ? -1 : endOfWord(text, kinds, start);
  if (word >= 0) return endOfContraction(text, word);
  if ((kind & c.number) !== 0) return endOfDigits(text, kinds, start);
  const first = text[start] === 0x20 ? start + 1 : start;
  if (first < kinds.length && ((kinds[first] as number) & punctuation) !== 0)
    return endOfPunctuation(text, kinds, first);
  return endOfWhiteSpace(text, kinds, start);
}

function endOfRun(kinds: Uint8Array, start: number, mask: number): number {
  const { length } = kinds;
  let index = start;
  while (index < length && ((kinds[index] as number) & mask) !== 0) index += 1;
  return index;
}

function endOfCharacter(text: Uint8Array, start: number): number {
  const { length } = text;
  let index = start + 1;
  while (index < length && ((text[index] as number) & 0xc0) === 0x80) index += 1;
  return index;
}

/** Alternatives A and B, or -1. The optional first character is taken if it can be: that is tried first. */
function endOfWord(text: Uint8Array, kinds: Uint8Array, start: number): number {
  const kind = kinds[start] as number;
  if ((kind & letter) !== 0) {
    const end = endOfMixedWord(kinds, start);
    return end >= 0 ? end : endOfRun(kinds, start, upperRun);
  }
  const body = endOfCharacter(text, start);
  const withPrefix = endOfMixedWord(kinds, body);
  if (withPrefix >= 0) return withPrefix;
  // A mark is also a letter of the body, and alternative A comes before B.
  if ((kind & c.mark) !== 0) return endOfMixedWord(kinds, start);
  const end = endOfRun(kinds, body, upperRun);
  return end > body ? end : -1;
}

/** The body of alternative A, or -1: the longest run of its first class, then at least one of its second. */
function endOfMixedWord(kinds: Uint8Array, start: number): number {
  const end = endOfRun(kinds, start, upperRun);
  if (end < kinds.length && ((kinds[end] as number) & c.lower) !== 0)
    return endOfRun(kinds, end, lowerRun);
  // Nothing follows: the first class gives characters back until one is of the second too.
  let index = end;
  while (index > start && ((kinds[index - 1] as number) & both) === 0) index -= 1;
  return index > start ? index : -1;
}

function endOfContraction(text: Uint8Array, start: number): number {
  const { length } = text;
  if (start + 1 >= length || text[start] !== 0x27) return start;
  const first = (text[start + 1] as number) | 0x20;
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) return start + 2;
  // The long s folds to "s" when case is ignored.
  if (text[start + 1] === 0xc5 && text[start + 2] === 0xbf) return start + 3;
  const second = start + 2 < length ? (text[start + 2] as number) | 0x20 : 0;
  const isPair =
    ((first === 0x72 || first === 0x76) && second === 0x65) || (first === 0x6c && second === 0x6c);
  return isPair ? start + 3 : start;
}

function endOfDigits(text: Uint8Array, kinds: Uint8Array, start: number): number {
  let index = start;
  for (let count = 0; count < 3; count += 1) {
    if (index >= kinds.length || ((kinds[index] as number) & c.number) === 0) break;
    index = endOfCharacter(text, index);
  }
  return index;
}

function endOfPunctuation(text: Uint8Array, kinds: Uint8Array, start: number): number {
  const { length } = kinds;
  let index = endOfRun(kinds, start, punctuation);
  while (index < length && (((kinds[index] as number) & c.newline) !== 0 || text[index] === 0x2f))
    index += 1;
  return index;
}

/** Alternatives E, F and G, at a white-space character. */
function endOfWhiteSpace(text: Uint8Array, kinds: Uint8Array, start: number): number {
  const end = endOfRun(kinds, start, whiteSpace);
  let afterNewline = end;
  while (afterNewline > start && ((kinds[afterNewline - 1] as number) & c.newline) === 0)
    afterNewline -= 1;
  if (afterNewline > start) return afterNewline;
  if (end === kinds.length) return end;
  let last = end - 1;
  while (last > start && ((text[last] as number) & 0xc0) === 0x80) last -= 1;
  return last > start ? last : end;
}
