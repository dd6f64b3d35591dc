/** How far a bracket and its other half may be from each other, bytes. */
const bracketBytesMax = 4000;

const [lineFeed, quote, apostrophe, backslash, slash, star, hash] = [
  0x0a, 0x22, 0x27, 0x5c, 0x2f, 0x2a, 0x23,
];
const [opening, closing, semicolon] = [0x28, 0x29, 0x3b];
/** What is before a statement, or before a declaration without its type, which C had once. */
const statementStarts: ReadonlySet<number> = new Set(Buffer.from(";{}:"));
/** What is inside of an expression, or of a list of arguments. */
const operators: ReadonlySet<number> = new Set(Buffer.from(",(=&|+-?!<%^["));
/** What a statement follows without more. */
const statementWord = /\b(?:else|do)$/;
/** What brackets belong to that a statement follows. */
const conditionWord = /\b(?:if|for|while|switch)\s*$/;

/**
 * Tells whether a name in a text in C is surely called there. Two things show it: what is before the name, which in a
 * definition or a prototype is its type; and what is behind the brackets, which in a definition is a body.
 *
 * @param name Where the name is, in bytes of the text.
 * @returns False also where no bracket follows the name.
 */
export function isCallInC(
  text: Buffer,
  name: { readonly start: number; readonly end: number },
): boolean {
  const bracket = skipBlanks(text, name.end);
  if (text[bracket] !== opening) return false;
  const before = lastBefore(text, name.start);
  if (before < 0) return false;
  const byte = text[before] as number;
  if (operators.has(byte)) return true;
  const isStatement =
    statementStarts.has(byte) ||
    (byte === closing
      ? followsCondition(text, before)
      : statementWord.test(text.toString("latin1", Math.max(0, before - 8), before + 1)));
  if (!isStatement) return false;
  const end = behindBrackets(text, bracket);
  return end >= 0 && text[skipBlanks(text, end)] === semicolon;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

function skipBlanks(text: Buffer, start: number): number {
  let at = start;
  while (isBlank(text[at])) at += 1;
  return at;
}

/** The last byte before an offset that is in no comment and no directive; below 0 where there is none. */
function lastBefore(text: Buffer, offset: number): number {
  let at = offset - 1;
  for (;;) {
    while (isBlank(text[at])) at -= 1;
    if (at < 0) return -1;
    if (text[at] === slash && text[at - 1] === star) {
      at = text.lastIndexOf("/*", at - 2) - 1;
      continue;
    }
    const lineStart = text.lastIndexOf(lineFeed, at) + 1;
    const first = skipBlanks(text, lineStart);
    const comment = text.subarray(lineStart, at + 1).indexOf("//");
    if (comment < 0 && text[first] !== hash) return at;
    at = text[first] === hash ? lineStart - 1 : lineStart + comment - 1;
  }
}

/** Whether the brackets that end at an offset are those of a condition. */
function followsCondition(text: Buffer, end: number): boolean {
  let depth = 0;
  for (let at = end; at >= 0 && end - at < bracketBytesMax; at -= 1) {
    if (text[at] === closing) depth += 1;
    if (text[at] === opening) depth -= 1;
    if (depth === 0) return conditionWord.test(text.toString("latin1", Math.max(0, at - 12), at));
  }
  return false;
}

/** The offset behind the bracket that closes one; below 0 where it is not near. */
function behindBrackets(text: Buffer, start: number): number {
  let depth = 0;
  const end = Math.min(text.length, start + bracketBytesMax);
  for (let at = start; at < end; at += 1) {
    const byte = text[at];
    if (byte === quote || byte === apostrophe) at = endOfQuoted(text, at, end);
    else if (byte === opening) depth += 1;
    else if (byte === closing) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function endOfQuoted(text: Buffer, start: number, end: number): number {
  const mark = text[start];
  for (let at = start + 1; at < end; at += 1) {
    if (text[at] === backslash) at += 1;
    else if (text[at] === mark) return at;
  }
  return end;
}
