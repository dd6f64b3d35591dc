/** A chunk in the pipeline. All stages get the hits in the same order, and return one number for each. */
export interface PipelineHit {
  /** Number of the chunk in its corpus. */
  readonly chunk: number;
  /** Number of its file. */
  readonly file: number;
}

/** Sums of the scores of a file's hits, by file. */
export function sumByFile(
  hits: readonly PipelineHit[],
  scores: Float64Array,
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const [index, { file }] of hits.entries())
    sums.set(file, (sums.get(file) ?? 0) + (scores[index] as number));
  return sums;
}

/** The highest of some numbers, 0 when there is none above. */
export function highestOf(values: Iterable<number>): number {
  let highest = 0;
  for (const value of values) if (value > highest) highest = value;
  return highest;
}

/** Places of hits by falling score; equal ones in the order of chunks. */
export function orderOf(hits: readonly PipelineHit[], scores: Float64Array): number[] {
  return [...hits.keys()].sort(
    (a, b) =>
      (scores[b] as number) - (scores[a] as number) ||
      (hits[a] as PipelineHit).chunk - (hits[b] as PipelineHit).chunk,
  );
}

/**
 * Raises scores: `score + highest · weight · value`, where `highest` is the highest score before the stage, so that
 * one stage builds on another.
 */
export function raise(
  scores: Float64Array,
  { weight, values }: { readonly weight: number; readonly values: Float64Array },
): Float64Array {
  const step = highestOf(scores) * weight;
  return scores.map((score, index) => score + step * (values[index] as number));
}

/** Scales scores: `score · value`. */
export function scale(scores: Float64Array, values: Float64Array): Float64Array {
  return scores.map((score, index) => score * (values[index] as number));
}
