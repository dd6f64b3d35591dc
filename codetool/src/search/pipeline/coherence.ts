import { highestOf, orderOf, type PipelineHit, sumByFile } from "./hits.ts";

/** How much the best file's coherence adds, in the highest score. */
export const coherenceWeight = 0.2;

/**
 * File coherence: a file that was hit in several places is more about the query than one that was hit once. The best
 * chunk of each file gets
 *
 *     highest · 0.2 · (sum of the file's scores / highest such sum)
 *
 * @returns The quotient in brackets for the best chunk of each file, 0 for the others.
 */
export function coherenceOf(hits: readonly PipelineHit[], scores: Float64Array): Float64Array {
  const sums = sumByFile(hits, scores);
  const highest = highestOf(sums.values());
  const values = new Float64Array(hits.length);
  if (highest === 0) return values;
  const seen = new Set<number>();
  for (const index of orderOf(hits, scores)) {
    const { file } = hits[index] as PipelineHit;
    if (seen.has(file)) continue;
    seen.add(file);
    values[index] = (sums.get(file) ?? 0) / highest;
  }
  return values;
}
