import { countMerged, makeMergeScratch, type MergeTable } from "./token-counter-merge.ts";
import { classifyBytes, endOfPiece } from "./token-counter-split.ts";
import { hashMultiplier, loadTokenizerTable, rankOf } from "./token-counter-table.ts";

/** The vocabulary whose tokens are counted. */
export const tokenizerName = "o200k_base";

let loaded: MergeTable | undefined;

function loadCounter(): MergeTable {
  const table = loadTokenizerTable();
  return { table, scratch: makeMergeScratch(table) };
}

/**
 * Counts the tokens of a text exactly, as `o200k_base` does it. Names of special tokens (`<|endoftext|>`) are text
 * like any other; an unpaired surrogate counts as U+FFFD.
 *
 * The first call loads the table (a few milliseconds). Time grows with the length of the text, whatever it holds.
 *
 * @param text Any string.
 * @returns 0 for an empty text.
 */
export function countTokens(text: string): number {
  if (text === "") return 0;
  loaded ??= loadCounter();
  const counter = loaded;
  const { table } = counter;
  const bytes = Buffer.from(text, "utf8");
  const { length } = bytes;
  const kinds = new Uint8Array(length);
  classifyBytes(bytes, table.classes, kinds);
  const isToken = (from: number, to: number): boolean => {
    if (to - from === 1) return true;
    if (to - from > table.tokenBytesMax) return false;
    let hash = 0;
    for (let index = from; index < to; index += 1)
      hash = (Math.imul(hash, hashMultiplier) + (bytes[index] as number) + 1) | 0;
    return rankOf(table, bytes, from, to, hash) >= 0;
  };
  let count = 0;
  let start = 0;
  while (start < length) {
    const end = endOfPiece(bytes, kinds, start);
    count += isToken(start, end) ? 1 : countMerged(counter, bytes.subarray(start, end));
    start = end;
  }
  return count;
}
