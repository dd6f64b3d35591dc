import { orderOf, type PipelineHit } from "./hits.ts";

const decay = 0.5;

/**
 * Saturation: a second chunk of a file tells less than the first chunk of another file. The n-th best chunk
 * of a file is scaled by
 *
 *     0.5^(n − 1)
 *
 * @returns The factor for each hit.
 */
export function saturationOf(hits: readonly PipelineHit[], scores: Float64Array): Float64Array {
  const seen = new Map<number, number>();
  const values = new Float64Array(hits.length);
  for (const index of orderOf(hits, scores)) {
    const { file } = hits[index] as PipelineHit;
    const before = seen.get(file) ?? 0;
    values[index] = decay ** before;
    seen.set(file, before + 1);
  }
  return values;
}
