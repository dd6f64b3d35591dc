/** First and last code point of a range. */
export type CodePointRange = readonly [number, number];

const codePointMax = 0x10_ff_ff;
const digit: readonly CodePointRange[] = [[0x30, 0x39]];
const upper: readonly CodePointRange[] = [[0x41, 0x5a]];
const lower: readonly CodePointRange[] = [[0x61, 0x7a]];
const word: readonly CodePointRange[] = [...digit, ...upper, [0x5f, 0x5f], ...lower];
const space: readonly CodePointRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
];
const punctuation: readonly CodePointRange[] = [
  [0x21, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0x7e],
];

/** The classes that have a name, by the letter of their escape or their POSIX name. */
export function asciiClass(name: string): readonly CodePointRange[] | undefined {
  switch (name) {
    case "d":
    case "digit":
      return digit;
    case "D":
      return negateRanges(digit);
    case "w":
    case "word":
      return word;
    case "W":
      return negateRanges(word);
    case "s":
    case "space":
      return space;
    case "S":
      return negateRanges(space);
    case "alpha":
      return [...upper, ...lower];
    case "alnum":
      return [...digit, ...upper, ...lower];
    case "upper":
      return upper;
    case "lower":
      return lower;
    case "punct":
      return punctuation;
    case "xdigit":
      return [...digit, [0x41, 0x46], [0x61, 0x66]];
    case "blank":
      return [
        [0x09, 0x09],
        [0x20, 0x20],
      ];
    default:
      return undefined;
  }
}

/** Sorts and joins ranges. */
export function normalizeRanges(ranges: readonly CodePointRange[]): CodePointRange[] {
  const joined: [number, number][] = [];
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else joined.push([low, high]);
  }
  return joined;
}

/** All code points outside of the ranges. */
export function negateRanges(ranges: readonly CodePointRange[]): CodePointRange[] {
  const outside: CodePointRange[] = [];
  let next = 0;
  for (const [low, high] of normalizeRanges(ranges)) {
    if (low > next) outside.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= codePointMax) outside.push([next, codePointMax]);
  return outside;
}

/** Beyond this many characters a class is folded only within ASCII. */
const foldedCharactersMax = 4_096;

/** Adds the other case of each letter. */
export function foldRanges(ranges: readonly CodePointRange[]): CodePointRange[] {
  const folded = [...ranges];
  const size = ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0);
  for (const [low, high] of ranges) {
    const last = size <= foldedCharactersMax ? high : Math.min(high, 0x7f);
    for (let codePoint = low; codePoint <= last; codePoint += 1) {
      const character = String.fromCodePoint(codePoint);
      for (const other of [character.toLowerCase(), character.toUpperCase()]) {
        const otherCode = other.codePointAt(0) as number;
        if (otherCode !== codePoint && other.length === (otherCode > 0xff_ff ? 2 : 1))
          folded.push([otherCode, otherCode]);
      }
    }
  }
  return normalizeRanges(folded);
}

/** The code points of a Unicode property, for example `"L"` or `"Script=Greek"`; `undefined` if there is none. */
export function propertyRanges(name: string): CodePointRange[] | undefined {
  let test: RegExp;
  try {
    test = new RegExp(`^\\p{${name}}$`, "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (name.includes("=")) return undefined;
    return propertyRanges(`Script=${name}`);
  }
  const ranges: CodePointRange[] = [];
  let start = -1;
  for (let codePoint = 0; codePoint <= codePointMax + 1; codePoint += 1) {
    const isMember = codePoint <= codePointMax && test.test(String.fromCodePoint(codePoint));
    if (isMember && start < 0) start = codePoint;
    if (!isMember && start >= 0) {
      ranges.push([start, codePoint - 1]);
      start = -1;
    }
  }
  return ranges;
}
