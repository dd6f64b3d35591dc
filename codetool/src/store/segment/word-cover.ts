import { isWordByte, wordBytesMax } from "../../index/index.ts";

/**
 * Says whether every word of a text is a term of one of its chunks: not so when a word is too long to be one, or a
 * chunk ends inside of a word.
 *
 * @param chunkEnds Byte offsets where chunks end, ascending.
 */
export function coversAllWords(text: Uint8Array, chunkEnds: readonly number[]): boolean {
  for (const end of chunkEnds)
    if (
      end > 0 &&
      end < text.length &&
      isWordByte(text[end - 1] as number) &&
      isWordByte(text[end] as number)
    )
      return false;
  // A word that is too long holds one of these places.
  for (let at = wordBytesMax; at < text.length; at += wordBytesMax + 1) {
    if (!isWordByte(text[at] as number)) continue;
    let start = at;
    while (start > 0 && at - start <= wordBytesMax && isWordByte(text[start - 1] as number))
      start -= 1;
    let end = at + 1;
    while (end < text.length && end - start <= wordBytesMax && isWordByte(text[end] as number))
      end += 1;
    if (end - start > wordBytesMax) return false;
  }
  return true;
}

/** A piece of a literal: what a word of the text must hold. */
export interface WordPiece {
  /** Letters lower-cased, digits and underscores of ASCII. */
  readonly text: string;
  /** The word begins with it. */
  readonly isStart: boolean;
  /** The word ends with it. */
  readonly isEnd: boolean;
}

/**
 * The pieces that the words of every text with a literal must hold. The words of a text are runs of letters, digits and
 * underscores; where the literal goes on before or behind a piece with something else, the word begins or ends there.
 */
export function wordPiecesOf(literal: Uint8Array): WordPiece[] {
  const text = Buffer.from(literal).toString("latin1");
  const pieces: WordPiece[] = [];
  for (const { 0: run, index } of text.matchAll(/\w+/g)) {
    // A run of only underscores is not a word.
    if (/^_+$/.test(run)) continue;
    const before = literal[index - 1];
    const after = literal[index + run.length];
    pieces.push({
      text: run.toLowerCase(),
      isStart: before !== undefined && before < 0x80,
      isEnd: after !== undefined && after < 0x80,
    });
  }
  return pieces;
}
