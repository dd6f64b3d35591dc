import type { PipelineHit } from "./hits.ts";

/** How much it adds that all keywords are in the path, in the highest score. */
export const pathMatchWeight = 1.5;

const ratioMin = 0.1;

/**
 * Stem matching: a file that is named for the query.
 *
 *     highest · 1.5 · (keywords with which a part of the path begins / keywords), where that is 0.1 or more
 *
 * Parts of the path are the words of the file's stem and of the folder it lies in.
 *
 * @param keywords Lower-cased.
 * @param partsOf The parts of a hit's path, lower-cased.
 * @returns The quotient for each hit, 0 below 0.1.
 */
export function pathMatchOf(
  hits: readonly PipelineHit[],
  keywords: readonly string[],
  partsOf: (hit: PipelineHit) => readonly string[],
): Float64Array {
  return Float64Array.from(hits, (hit) => {
    const parts = partsOf(hit);
    const found = keywords.filter((keyword) => parts.some((part) => part.startsWith(keyword)));
    const ratio = found.length / Math.max(1, keywords.length);
    return ratio >= ratioMin ? ratio : 0;
  });
}
