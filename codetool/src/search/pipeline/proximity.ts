import { highestOf, type PipelineHit, sumByFile } from "./hits.ts";

/** How much being one import away adds, in the highest score. */
export const proximityWeight = 0.25;

const secondHop = 0.5;
/** Files that proximity is measured from, and the share of the best file's sum that they have at least. */
const seedCountMax = 8;
const seedShareMin = 0.1;

/**
 * Import proximity: files that the best files import, and files that import them, are likely to be about the query, too.
 * Seeds are at most eight files whose sums of scores are at least a tenth of the best file's. A file is raised if it is at
 * most two hops from a seed, along imports in either direction:
 *
 *     highest · 0.25 · 0.5^(hops − 1)
 *
 * with the hops to the nearest seed other than the file itself. The constants are those of the reference implementation,
 * with one difference: it does not raise seeds. If most files are connected, that puts other files before the seeds, so
 * here a seed near another seed is raised like any other file.
 *
 * @param neighboursOf Files that a file imports or is imported by.
 * @returns 1 for one hop, 0.5 for two, 0 for others.
 */
export function proximityOf(
  hits: readonly PipelineHit[],
  scores: Float64Array,
  neighboursOf: (file: number) => readonly number[],
): Float64Array {
  const sums = sumByFile(hits, scores);
  const least = highestOf(sums.values()) * seedShareMin;
  const seeds = [...sums]
    .filter(([, sum]) => sum > 0 && sum >= least)
    .sort(([a, sumA], [b, sumB]) => sumB - sumA || a - b)
    .slice(0, seedCountMax)
    .map(([file]) => file);
  // A bit for each seed that a file is one hop from.
  const besideSeeds = new Map<number, number>();
  for (const [index, seed] of seeds.entries())
    for (const neighbour of neighboursOf(seed))
      besideSeeds.set(neighbour, (besideSeeds.get(neighbour) ?? 0) | (1 << index));
  const valueOf = (file: number): number => {
    const own = seeds.includes(file) ? 1 << seeds.indexOf(file) : 0;
    const isBesideOther = (other: number): boolean => ((besideSeeds.get(other) ?? 0) & ~own) !== 0;
    if (isBesideOther(file)) return 1;
    return neighboursOf(file).some(isBesideOther) ? secondHop : 0;
  };
  const values = new Map([...sums.keys()].map((file) => [file, valueOf(file)]));
  return Float64Array.from(hits, ({ file }) => values.get(file) ?? 0);
}
