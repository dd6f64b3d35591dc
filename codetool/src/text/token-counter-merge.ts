import { hashMultiplier, rankOf, type TokenizerTable } from "./token-counter-table.ts";

/** Up to this many bytes the lowest pair is found by looking at all; beyond it by a heap. */
const shortPieceBytesMax = 96;
const none = 0x7f_ff_ff_ff;

/** Working memory of a merge, reused between pieces and grown when one is longer. */
export interface MergeScratch {
  /** Polynomial hash of the piece up to each position. */
  hashes: Int32Array;
  /** Rank of the pair that begins at each position. */
  ranks: Int32Array;
  next: Int32Array;
  previous: Int32Array;
  /** `hashMultiplier` to each power up to the longest token. */
  readonly powers: Int32Array;
}

/** A vocabulary and the working memory of merges over it. */
export interface MergeTable {
  readonly table: TokenizerTable;
  readonly scratch: MergeScratch;
}

/** Makes the working memory for a table. */
export function makeMergeScratch(table: TokenizerTable): MergeScratch {
  const powers = new Int32Array(table.tokenBytesMax + 1);
  powers[0] = 1;
  for (let index = 1; index < powers.length; index += 1)
    powers[index] = Math.imul(powers[index - 1] as number, hashMultiplier);
  return { ...makeArrays(256), powers };
}

function makeArrays(size: number): Omit<MergeScratch, "powers"> {
  return {
    hashes: new Int32Array(size + 1),
    ranks: new Int32Array(size + 1),
    next: new Int32Array(size + 1),
    previous: new Int32Array(size + 1),
  };
}

/**
 * Counts the tokens of one piece by byte-pair merging: again and again the adjacent pair of lowest rank becomes one,
 * the leftmost first.
 *
 * Takes O(n log n) time for a piece of n bytes, whatever they are.
 */
export function countMerged({ table, scratch }: MergeTable, piece: Uint8Array): number {
  const size = piece.length;
  if (scratch.ranks.length <= size) Object.assign(scratch, makeArrays(size * 2));
  const { hashes, ranks, next, previous, powers } = scratch;
  hashes[0] = 0;
  for (let index = 0; index < size; index += 1) {
    hashes[index + 1] =
      (Math.imul(hashes[index] as number, hashMultiplier) + (piece[index] as number) + 1) | 0;
    next[index] = index + 1;
    previous[index] = index - 1;
  }
  next[size] = size;
  const rankOfPair = (from: number): number => {
    const middle = next[from] as number;
    const to = next[middle] as number;
    const length = to - from;
    if (middle >= size || length > table.tokenBytesMax) return none;
    const hash =
      ((hashes[to] as number) - Math.imul(hashes[from] as number, powers[length] as number)) | 0;
    const rank = rankOf(table, piece, from, to, hash);
    return rank < 0 ? none : rank;
  };
  for (let index = 0; index < size; index += 1) ranks[index] = rankOfPair(index);
  return size <= shortPieceBytesMax
    ? mergeShort(scratch, size, rankOfPair)
    : mergeLong(scratch, size, rankOfPair);
}

/** Joins the pair at `from` and ranks the two pairs that changed. */
function join(scratch: MergeScratch, from: number, rankOfPair: (from: number) => number): void {
  const { ranks, next, previous } = scratch;
  const gone = next[from] as number;
  const after = next[gone] as number;
  next[from] = after;
  previous[after] = from;
  ranks[gone] = none;
  ranks[from] = rankOfPair(from);
  const before = previous[from] as number;
  if (before >= 0) ranks[before] = rankOfPair(before);
}

function mergeShort(
  scratch: MergeScratch,
  size: number,
  rankOfPair: (from: number) => number,
): number {
  const { ranks, next } = scratch;
  let count = size;
  for (;;) {
    let lowest = none;
    let at = -1;
    for (let index = 0; index < size; index = next[index] as number) {
      const rank = ranks[index] as number;
      if (rank < lowest) {
        lowest = rank;
        at = index;
      }
    }
    if (at < 0) return count;
    join(scratch, at, rankOfPair);
    count -= 1;
  }
}

/** Key of a heap entry: by rank, then by position. Both fit a double exactly: 2^18 ranks, 2^31 positions. */
const positionLimit = 2 ** 31;

function mergeLong(
  scratch: MergeScratch,
  size: number,
  rankOfPair: (from: number) => number,
): number {
  const { ranks, previous } = scratch;
  // Each merge takes one entry out and puts at most two in.
  const heap = new MinHeap(size * 2 + 2);
  for (let index = 0; index < size; index += 1) {
    if (ranks[index] !== none) heap.push((ranks[index] as number) * positionLimit + index);
  }
  let count = size;
  while (heap.size > 0) {
    const key = heap.pop();
    const rank = Math.floor(key / positionLimit);
    const at = key - rank * positionLimit;
    // The pair at this position has changed since: its present rank has an entry of its own.
    if (ranks[at] !== rank) continue;
    join(scratch, at, rankOfPair);
    count -= 1;
    const before = previous[at] as number;
    if (ranks[at] !== none) heap.push(ranks[at] * positionLimit + at);
    if (before >= 0 && ranks[before] !== none)
      heap.push((ranks[before] as number) * positionLimit + before);
  }
  return count;
}

/** A binary heap of numbers with a fixed capacity. */
class MinHeap {
  readonly #keys: Float64Array;
  size = 0;

  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity);
  }

  push(key: number): void {
    const keys = this.#keys;
    let index = this.size;
    this.size += 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const parentKey = keys[parent] as number;
      if (parentKey <= key) break;
      keys[index] = parentKey;
      index = parent;
    }
    keys[index] = key;
  }

  pop(): number {
    const keys = this.#keys;
    const top = keys[0] as number;
    this.size -= 1;
    const { size } = this;
    const key = keys[size] as number;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child += 1;
      if ((keys[child] as number) >= key) break;
      keys[index] = keys[child] as number;
      index = child;
    }
    keys[index] = key;
    return top;
  }
}
