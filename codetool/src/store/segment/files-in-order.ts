import { compareBytes } from "../../text/index.ts";
import type { Segment } from "./segment.ts";

/** Files of several segments in one order: of each, the place of its segment and its number there. */
export interface FilesInOrder {
  readonly segmentNumbers: Uint32Array;
  readonly ownNumbers: Uint32Array;
}

/** The files that are in some segments, in the byte order of their paths, which is that within each. */
export function filesInOrder(segments: readonly Segment[]): FilesInOrder {
  const pathAt = ({ segmentNumbers, ownNumbers }: FilesInOrder, at: number): string =>
    (segments[segmentNumbers[at] as number] as Segment).files.pathOf(ownNumbers[at] as number);
  let all = standingIn(segments, 0);
  for (let number = 1; number < segments.length; number += 1)
    all = merge(all, standingIn(segments, number), pathAt);
  return all;
}

function standingIn(segments: readonly Segment[], number: number): FilesInOrder {
  const isRemoved = segments[number]?.isRemoved ?? new Uint8Array(0);
  const ownNumbers = new Uint32Array(isRemoved.length);
  let count = 0;
  for (let file = 0; file < isRemoved.length; file += 1) {
    if (isRemoved[file] !== 0) continue;
    ownNumbers[count] = file;
    count += 1;
  }
  return {
    segmentNumbers: new Uint32Array(count).fill(number),
    ownNumbers: ownNumbers.subarray(0, count),
  };
}

/** Merges two lists; files between two files of the second are copied at once. */
function merge(
  first: FilesInOrder,
  second: FilesInOrder,
  pathAt: (files: FilesInOrder, at: number) => string,
): FilesInOrder {
  const length = first.ownNumbers.length + second.ownNumbers.length;
  const merged = {
    segmentNumbers: new Uint32Array(length),
    ownNumbers: new Uint32Array(length),
  };
  let filled = 0;
  const take = (from: FilesInOrder, start: number, end: number): void => {
    merged.segmentNumbers.set(from.segmentNumbers.subarray(start, end), filled);
    merged.ownNumbers.set(from.ownNumbers.subarray(start, end), filled);
    filled += end - start;
  };
  let taken = 0;
  for (let at = 0; at < second.ownNumbers.length; at += 1) {
    const path = pathAt(second, at);
    const next = firstNotBelow(taken, first.ownNumbers.length, (place) =>
      compareBytes(pathAt(first, place), path),
    );
    take(first, taken, next);
    take(second, at, at + 1);
    taken = next;
  }
  take(first, taken, first.ownNumbers.length);
  return merged;
}

/** The first place from `start` on that does not compare below, else `end`; it is searched for near the start first. */
function firstNotBelow(start: number, end: number, compare: (place: number) => number): number {
  let low = start;
  let high = start;
  for (let step = 1; high < end && compare(high) < 0; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, end);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(middle) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
