/** Receives one term: the bytes of `text` from `start` to `end`, upper-case ASCII letters meaning lower-case ones. */
// oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
export type TermSink = (text: Uint8Array, start: number, end: number, hash: number) => void;

/** Of the polynomial hash of a term. */
export const hashMultiplier = 0x01_00_01_93;

/** Parts of the class of a byte. */
const isLower = 1;
const isUpper = 2;
const isDigit = 4;
const isUnderscore = 8;
const isBeyondAscii = 16;

/** What each byte is in a word; 0 for one that is in none. */
export const byteClasses = makeByteClasses();

function makeByteClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  classes.fill(isLower, 0x61, 0x7b);
  classes.fill(isUpper, 0x41, 0x5b);
  classes.fill(isDigit, 0x30, 0x3a);
  classes[0x5f] = isUnderscore;
  classes.fill(isBeyondAscii, 0x80, 0x100);
  return classes;
}

/** Longest word that counts as one; longer runs are encoded data. */
export const wordBytesMax = 100;

/** Says whether a byte is one of a word: an ASCII letter, digit or underscore, or beyond ASCII. */
export function isWordByte(byte: number): boolean {
  return byteClasses[byte] !== 0;
}

/**
 * Calls the sink with each term of a text: every word, and for a compound word (`parseHttpRequest`, `HTTP_PORT`) its
 * parts too. A word is a run of letters, digits and underscores of any script; a run of CJK characters also
 * gives its pairs. Words longer than 100 bytes give nothing.
 *
 * @param text UTF-8, well-formed or not.
 * @param start Byte offset where to begin.
 * @param end Byte offset where to end.
 * @param firstBytes Not 0 for the bytes that a term which the sink wants may begin with; default: it wants all.
 * @returns How many terms there were, those too that the sink does not want.
 */
// oxlint-disable-next-line max-params -- called for each chunk and each line of an answer, with places in one text
export function scanTerms(
  text: Uint8Array,
  start: number,
  end: number,
  sink: TermSink,
  firstBytes?: Uint8Array,
): number {
  let termCount = 0;
  let index = start;
  while (index < end) {
    if (byteClasses[text[index] as number] === 0) {
      index += 1;
      continue;
    }
    const wordStart = index;
    let seen = 0;
    while (index < end) {
      const kind = byteClasses[text[index] as number] as number;
      if (kind === 0) break;
      seen |= kind;
      index += 1;
    }
    if (index - wordStart > wordBytesMax) continue;
    termCount +=
      (seen & isBeyondAscii) !== 0
        ? scanForeignRun(text, wordStart, index, sink)
        : scanAsciiWord(text, wordStart, index, seen, sink, firstBytes);
  }
  return termCount;
}

/** Polynomial hash of a term, upper-case ASCII letters taken as lower-case ones. */
export function hashTerm(text: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let index = start; index < end; index += 1) {
    const byte = text[index] as number;
    const folded = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    hash = (Math.imul(hash, hashMultiplier) + folded + 1) | 0;
  }
  return hash;
}

// oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
function emit(
  text: Uint8Array,
  start: number,
  end: number,
  sink: TermSink,
  firstBytes?: Uint8Array,
): 1 {
  if (firstBytes !== undefined && firstBytes[text[start] as number] === 0) return 1;
  sink(text, start, end, hashTerm(text, start, end));
  return 1;
}

// oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
function scanAsciiWord(
  text: Uint8Array,
  start: number,
  end: number,
  seen: number,
  sink: TermSink,
  firstBytes: Uint8Array | undefined,
): number {
  // A run of only underscores is a separator.
  if (seen === isUnderscore) return 0;
  let termCount = emit(text, start, end, sink, firstBytes);
  if ((seen & isUnderscore) === 0 && ((seen & isUpper) === 0 || (seen & isLower) === 0))
    return termCount;
  let partStart = start;
  for (let index = start; index <= end; index += 1) {
    if (index < end && !isPartStart(text, index, partStart, end)) continue;
    const partEnd = index;
    let from = partStart;
    while (from < partEnd && text[from] === 0x5f) from += 1;
    if (partEnd > from && partEnd - from < end - start)
      termCount += emit(text, from, partEnd, sink, firstBytes);
    partStart = index;
  }
  return termCount;
}

/** A part begins at an underscore, at an upper-case letter after a lower-case one or a digit, and at the last of several before a lower-case one. */
// oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
function isPartStart(text: Uint8Array, index: number, partStart: number, end: number): boolean {
  if (index === partStart) return false;
  const kind = byteClasses[text[index] as number] as number;
  if (kind === isUnderscore) return text[index - 1] !== 0x5f;
  if (kind !== isUpper) return false;
  const before = byteClasses[text[index - 1] as number] as number;
  if (before !== isUpper) return before !== isUnderscore;
  return index + 1 < end && byteClasses[text[index + 1] as number] === isLower;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
/** Room for the bytes of a short text, which most names are. */
const shortBytes = new Uint8Array(384);
const shortLengthMax = shortBytes.length / 3;
const wordPattern = /[\p{L}\p{N}\p{M}_]+/gu;
const cjkPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}/gu;

/** Words beyond ASCII take the slow way: decoded, lower-cased, and encoded again. */
// oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
function scanForeignRun(text: Uint8Array, start: number, end: number, sink: TermSink): number {
  const run = decoder.decode(text.subarray(start, end));
  let termCount = 0;
  for (const [word] of run.matchAll(wordPattern)) {
    const bytes = Buffer.from(word.toLowerCase(), "utf8");
    termCount += emit(bytes, 0, bytes.length, sink);
    for (const part of foreignParts(word)) {
      const partBytes = Buffer.from(part.toLowerCase(), "utf8");
      termCount += emit(partBytes, 0, partBytes.length, sink);
    }
  }
  return termCount;
}

function foreignParts(word: string): string[] {
  const parts = word
    .split(/_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .filter((part) => part !== "");
  const found = parts.length > 1 ? parts : [];
  for (const [cjk] of word.matchAll(cjkPattern)) {
    const characters = Array.from(cjk);
    if (characters.length === 2 && word === cjk) continue;
    for (let index = 0; index + 1 < characters.length; index += 1)
      found.push(`${characters[index]}${characters[index + 1]}`);
  }
  return found;
}

/**
 * The terms of a text as strings, in order, repeated as they occur.
 *
 * @param text For example a query or a file name.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  const isShort = text.length <= shortLengthMax;
  const bytes = isShort ? shortBytes : Buffer.from(text, "utf8");
  const length = isShort ? encoder.encodeInto(text, shortBytes).written : bytes.length;
  // Of ASCII alone: each byte is a character.
  const lower = length === text.length ? text.toLowerCase() : undefined;
  scanTerms(bytes, 0, length, (source, start, end) => {
    terms.push(
      lower?.slice(start, end) ?? decoder.decode(source.subarray(start, end)).toLowerCase(),
    );
  });
  return terms;
}
