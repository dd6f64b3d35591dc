import { countMerged, makeMergeScratch, type MergeScratch } from "./token-counter-merge.ts";
import { classifyBytes, endOfPiece } from "./token-counter-split.ts";
import { hashMultiplier, loadTokenTable, rankOf, type TokenTable } from "./token-counter-table.ts";

/** The vocabulary whose tokens are counted. */
export const tokenizerName = "o200k_base";

interface LoadedCounter {
  readonly table: TokenTable;
  readonly scratch: MergeScratch;
}

let loaded: LoadedCounter | undefined;

function loadCounter(): LoadedCounter {
  const table = loadTokenTable();
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
  const { table, scratch } = loaded;
  const bytes = Buffer.from(text, "utf8");
  const { length } = bytes;
  const kinds = new Uint8Array(length);
  classifyBytes(bytes, table.classes, kinds);
  let count = 0;
  let start = 0;
  while (start < length) {
    const end = endOfPiece(bytes, kinds, start, length);
    count += end - start === 1 ? 1 : countPiece(table, scratch, bytes, start, end);
    start = end;
  }
  return count;
}

function countPiece(
  table: TokenTable,
  scratch: MergeScratch,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (end - start <= table.tokenBytesMax) {
    let hash = 0;
    for (let index = start; index < end; index += 1)
      hash = (Math.imul(hash, hashMultiplier) + (bytes[index] as number) + 1) | 0;
    if (rankOf(table, bytes, start, end, hash) >= 0) return 1;
  }
  return countMerged(table, scratch, bytes, start, end);
}
