import { highestOf, type PipelineHit, sumByFile } from "./hits.ts";

/** How much being one import away adds, in the highest score. */
export const proximityWeight = 0.25;

const hopCountMax = 2;
const perHop = 0.5;
/** Files that proximity is measured from, and the share of the best file's sum that they have at least. */
const seedCountMax = 8;
const seedShareMin = 0.1;

/**
 * Import proximity: what the best files import, and what imports them, is likely to be about the query, too. From at
 * most eight files whose scores sum up to a tenth of the best file's at least, both ways along imports, two hops at
 * most:
 *
 *     highest · 0.25 · 0.5^(hops − 1)
 *
 * for the hits of files that are no seeds themselves.
 *
 * @param neighboursOf Files that a file imports or is imported by.
 * @returns 1 for one hop, 0.5 for two, 0 for others.
 */
export function proximityOf(
  hits: readonly PipelineHit[],
  scores: Float64Array,
  neighboursOf: (file: number) => Iterable<number>,
): Float64Array {
  const sums = sumByFile(hits, scores);
  const least = highestOf(sums.values()) * seedShareMin;
  const seeds = [...sums]
    .filter(([, sum]) => sum > 0 && sum >= least)
    .sort(([a, sumA], [b, sumB]) => sumB - sumA || a - b)
    .slice(0, seedCountMax)
    .map(([file]) => file);
  const hops = new Map<number, number>(seeds.map((file) => [file, 0]));
  let edge = seeds;
  for (let hop = 1; hop <= hopCountMax; hop += 1) {
    const next: number[] = [];
    for (const file of edge)
      for (const neighbour of neighboursOf(file)) {
        if (hops.has(neighbour)) continue;
        hops.set(neighbour, hop);
        next.push(neighbour);
      }
    edge = next;
  }
  return Float64Array.from(hits, ({ file }) => {
    const hop = hops.get(file) ?? 0;
    return hop === 0 ? 0 : perHop ** (hop - 1);
  });
}
