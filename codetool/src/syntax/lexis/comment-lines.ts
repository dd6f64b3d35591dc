/**
 * The beginning of a line that is a comment in some language. It judges a line that a reader sees, so it takes more for
 * a comment than `commentLinesOf`, which decides what an index holds.
 */
export const commentLineStart =
  /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:define|include|import)\b)|--|;;|<!--|"""|''')/;

/** Lines shorter than this say nothing. */
const lineBytesMin = 4;
const tab = 0x09;
const lineFeed = 0x0a;
const space = 0x20;

/**
 * The lines of a text that are comment as far as their beginning tells: `//`, `/*`, `*`, `#` (no directive of the C
 * preprocessor), `--`, `;;`, `<!--`; and those between two lines of three quotes.
 *
 * @returns Parts of the text, which share its memory.
 */
export function commentLinesOf(text: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  let isInQuotes = false;
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf(lineFeed, start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    let at = start;
    while (at < end && (text[at] === space || text[at] === tab)) at += 1;
    const isQuote = isTripleQuote(text, at, end);
    const isComment = isInQuotes || isQuote || isCommentStart(text, at, end);
    if (isQuote)
      isInQuotes = isInQuotes ? false : !isTripleQuote(text, end - 3, end) || end - at < 6;
    else if (isInQuotes && isTripleQuote(text, end - 3, end)) isInQuotes = false;
    if (isComment && end - at >= lineBytesMin) found.push(text.subarray(at, end));
    start = end + 1;
  }
  return found;
}

function isTripleQuote(text: Uint8Array, at: number, end: number): boolean {
  const quote = text[at];
  return (
    at >= 0 &&
    at + 3 <= end &&
    (quote === 0x22 || quote === 0x27) &&
    text[at + 1] === quote &&
    text[at + 2] === quote
  );
}

const directives = [
  "include",
  "define",
  "import",
  "if",
  "else",
  "endif",
  "undef",
  "pragma",
  "elif",
];

function isCommentStart(text: Uint8Array, at: number, end: number): boolean {
  const first = text[at];
  const second = at + 1 < end ? text[at + 1] : undefined;
  switch (first) {
    case 0x2f: // slash
      return second === 0x2f || second === 0x2a;
    case 0x2a: // asterisk, of a block comment's inner lines
      return second === space || second === 0x2f;
    case 0x23: // number sign
      return !isDirective(text, at + 1, end);
    case 0x2d: // hyphen
      return second === 0x2d;
    case 0x3b: // semicolon
      return second === 0x3b;
    case 0x3c: // less-than sign
      return second === 0x21;
    default:
      return false;
  }
}

function isDirective(text: Uint8Array, from: number, end: number): boolean {
  let at = from;
  while (at < end && text[at] === space) at += 1;
  const word = Buffer.from(text.buffer, text.byteOffset + at, Math.min(8, end - at)).toString(
    "latin1",
  );
  return word.startsWith("[") || directives.some((directive) => word.startsWith(directive));
}
