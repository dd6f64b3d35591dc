import type { LineChange } from "./line-change.ts";

/** Pairs that are compared at most in one block; larger blocks are paired by position, or not at all. */
const comparedPairCountMax = 40_000;

/** Two lines are one line modified when they share this part of their words, from 0 to 1. */
const similarityMin = 0.5;

/** Words of a line that are looked at. */
const lineLengthMax = 1000;

/**
 * Finds which lines of a replaced block are one modified line: those that share most of their words, in order.
 *
 * A single line replaced by a single line is always one modified.
 *
 * @returns All lines of both sides, each side in its order; between two modifications deletions come first.
 */
export function pairLines(
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly LineChange[] {
  const pairs = choosePairs(oldLines, newLines);
  const changes: LineChange[] = [];
  let oldIndex = 0;
  let newIndex = 0;
  const flushTo = (oldEnd: number, newEnd: number): void => {
    for (; oldIndex < oldEnd; oldIndex += 1)
      changes.push({ type: "deletion", old: oldLines[oldIndex] ?? "", new: null });
    for (; newIndex < newEnd; newIndex += 1)
      changes.push({ type: "addition", old: null, new: newLines[newIndex] ?? "" });
  };
  for (const [oldAt, newAt] of pairs) {
    flushTo(oldAt, newAt);
    changes.push({
      type: "modification",
      old: oldLines[oldAt] ?? "",
      new: newLines[newAt] ?? "",
    });
    oldIndex += 1;
    newIndex += 1;
  }
  flushTo(oldLines.length, newLines.length);
  return changes;
}

type Pair = readonly [oldIndex: number, newIndex: number];

function choosePairs(oldLines: readonly string[], newLines: readonly string[]): Pair[] {
  if (oldLines.length === 0 || newLines.length === 0) return [];
  if (oldLines.length === 1 && newLines.length === 1) return [[0, 0]];
  if (oldLines.length * newLines.length > comparedPairCountMax) {
    // Too many to compare each with each: a block of as many lines was most likely changed line by line.
    if (oldLines.length !== newLines.length) return [];
    const bags = { old: oldLines.map(wordsOf), new: newLines.map(wordsOf) };
    return bags.old.flatMap((bag, index): Pair[] =>
      similarity(bag, bags.new[index] ?? emptyBag) >= similarityMin ? [[index, index]] : [],
    );
  }
  return bestAlignment(oldLines.map(wordsOf), newLines.map(wordsOf));
}

/** The words of a line and how often each is there. */
interface WordBag {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

const emptyBag: WordBag = { counts: new Map(), total: 0 };

function wordsOf(line: string): WordBag {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [word] of line.slice(0, lineLengthMax).matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)) {
    // A name counts more than a bracket.
    const weight = /^[\p{L}\p{N}_]/u.test(word) ? 3 : 1;
    counts.set(word, (counts.get(word) ?? 0) + weight);
    total += weight;
  }
  return { counts, total };
}

/** The part of both lines that they share, from 0 to 1. */
function similarity(left: WordBag, right: WordBag): number {
  if (left.total === 0 || right.total === 0) return left.total === right.total ? 1 : 0;
  // An upper bound, which is often already too low.
  const bound = (2 * Math.min(left.total, right.total)) / (left.total + right.total);
  if (bound < similarityMin) return 0;
  let shared = 0;
  for (const [word, count] of left.counts) shared += Math.min(count, right.counts.get(word) ?? 0);
  return (2 * shared) / (left.total + right.total);
}

/** The pairs in order whose similarities have the largest sum. */
function bestAlignment(oldBags: readonly WordBag[], newBags: readonly WordBag[]): Pair[] {
  const width = newBags.length + 1;
  const best = new Float64Array((oldBags.length + 1) * width);
  const score = new Float64Array((oldBags.length + 1) * width);
  for (let row = oldBags.length - 1; row >= 0; row -= 1) {
    for (let column = newBags.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      const similar = similarity(oldBags[row] ?? emptyBag, newBags[column] ?? emptyBag);
      score[at] = similar >= similarityMin ? similar : 0;
      const skip = Math.max(best[at + width] ?? 0, best[at + 1] ?? 0);
      best[at] = Math.max(skip, score[at] > 0 ? score[at] + (best[at + width + 1] ?? 0) : 0);
    }
  }
  const pairs: Pair[] = [];
  let row = 0;
  let column = 0;
  while (row < oldBags.length && column < newBags.length) {
    const at = row * width + column;
    const own = score[at] ?? 0;
    if (own > 0 && best[at] === own + (best[at + width + 1] ?? 0)) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (best[at] === best[at + width]) row += 1;
    else column += 1;
  }
  return pairs;
}
