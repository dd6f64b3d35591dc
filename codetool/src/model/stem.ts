const a = 0x61;
const e = 0x65;
const i = 0x69;
const o = 0x6f;
const u = 0x75;
const y = 0x79;
const s = 0x73;

/**
 * Takes the common endings off an English word, in place, so that `parse`, `parses`, `parsed`, `parsing` and `parser`
 * become one token. Not a dictionary: what comes out need not be a word, it need only be the same for the same family.
 *
 * @param word Lower-case bytes; the first `length` are the word. The others may be overwritten.
 * @param length How many bytes.
 * @returns How many bytes the stem has, at its beginning.
 */
export function stemInPlace(word: Uint8Array, length: number): number {
  if (length < 4 || !isAsciiLetters(word, length)) return length;
  let end = withoutPlural(word, length);
  end = withoutVerbEnding(word, end);
  end = withoutNounEnding(word, end);
  if (end > 4 && word[end - 1] === e) end -= 1;
  if (end > 3 && word[end - 1] === y && !isVowel(word[end - 2] as number)) word[end - 1] = i;
  return end;
}

function isAsciiLetters(word: Uint8Array, length: number): boolean {
  for (let index = 0; index < length; index += 1) {
    const byte = word[index] as number;
    if (byte < 0x61 || byte > 0x7a) return false;
  }
  return true;
}

function isVowel(byte: number): boolean {
  return byte === a || byte === e || byte === i || byte === o || byte === u || byte === y;
}

function hasVowel(word: Uint8Array, end: number): boolean {
  for (let index = 0; index < end; index += 1) if (isVowel(word[index] as number)) return true;
  return false;
}

function endsWith(word: Uint8Array, end: number, ending: string): boolean {
  if (end < ending.length) return false;
  for (let index = 0; index < ending.length; index += 1)
    if (word[end - ending.length + index] !== ending.charCodeAt(index)) return false;
  return true;
}

function withoutPlural(word: Uint8Array, end: number): number {
  if (word[end - 1] !== s) return end;
  if (endsWith(word, end, "ss") || endsWith(word, end, "us") || endsWith(word, end, "is"))
    return end;
  if (endsWith(word, end, "ies") && end > 4) {
    word[end - 3] = y;
    return end - 2;
  }
  const takesEs = ["sses", "shes", "ches", "xes", "zes"].some((ending) =>
    endsWith(word, end, ending),
  );
  return takesEs && end > 4 ? end - 2 : end - 1;
}

function withoutVerbEnding(word: Uint8Array, end: number): number {
  const cut = endsWith(word, end, "ing") ? 3 : endsWith(word, end, "ed") ? 2 : 0;
  if (cut === 0 || end - cut < 3 || !hasVowel(word, end - cut)) return end;
  return undoubled(word, end - cut);
}

/** `mapp` of `mapping` is `map`, but `pass` stays. */
function undoubled(word: Uint8Array, end: number): number {
  const last = word[end - 1] as number;
  const isDouble = end > 3 && last === word[end - 2] && !isVowel(last);
  return isDouble && last !== s && last !== 0x6c && last !== 0x7a ? end - 1 : end;
}

function withoutNounEnding(word: Uint8Array, end: number): number {
  const isAgent =
    (endsWith(word, end, "er") && !endsWith(word, end, "eer")) || endsWith(word, end, "tor");
  if (isAgent && end > 5) return undoubled(word, end - 2);
  const isAction = endsWith(word, end, "tion") || endsWith(word, end, "sion");
  if (isAction && end > 5) return end - 3;
  return end;
}
