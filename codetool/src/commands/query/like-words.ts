import type { IndexedCorpus } from "../../store/index.ts";
import { nearNames } from "../nearest-name.ts";

/** Words that are looked for in the files, the nearest first. */
const wordCountMax = 8;
/** Files of each that are read. */
const fileCountMax = 50;

/**
 * Finds the files of an index that hold a word like one that occurs nowhere, without reading them: all words are in the index,
 * lower-cased, and parts of words too.
 *
 * @param word Of letters of ASCII, digits and `_`.
 * @param isTaken Whether a file counts.
 * @returns Numbers of files that hold the nearest word, then of those with the next one, and so on; each at most 50.
 */
export function* filesWithLikeWords(
  word: string,
  corpus: IndexedCorpus,
  isTaken: (file: number) => boolean,
): Generator<readonly number[]> {
  const lower = word.toLowerCase();
  const near = nearNames(lower, corpus.wordsWhere(likeness(lower)));
  let count = 0;
  for (const each of near) {
    // The words of files that are gone stay in the index for a time.
    const files = corpus.filesWithWord(each).filter(isTaken);
    if (files.length === 0) continue;
    yield files.slice(0, fileCountMax);
    count += 1;
    if (count === wordCountMax) return;
  }
}

/** Leaves out words that cannot be near: of another length, or that lack more letters than there may be edits. */
function likeness(lower: string): (bytes: Buffer, start: number, end: number) => boolean {
  const third = Math.floor(lower.length / 3);
  const letters = lettersOf(Buffer.from(lower, "latin1"), 0, lower.length);
  return (bytes, start, end) => {
    if (Math.abs(end - start - lower.length) > third) return false;
    let lackingCount = 0;
    for (let rest = letters & ~lettersOf(bytes, start, end); rest !== 0; rest &= rest - 1)
      lackingCount += 1;
    return lackingCount <= Math.max(1, third);
  };
}

/** A bit for each letter, some of them shared by two characters. */
function lettersOf(bytes: Uint8Array, start: number, end: number): number {
  let letters = 0;
  for (let at = start; at < end; at += 1) letters |= 1 << ((bytes[at] as number) & 31);
  return letters;
}
