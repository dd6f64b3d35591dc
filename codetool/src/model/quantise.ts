/** Vectors of length one in 8 bits an axis: a quarter of the memory, for finding those worth computing exactly. */
export interface QuantisedVectors {
  readonly dimensions: number;
  /** Vector by vector. */
  readonly codes: Int8Array;
  /** What a code of 1 means, for each vector. */
  readonly scales: Float32Array;
}

/**
 * Writes the codes of a vector, each within half a step of its number.
 *
 * @param codes As many as the vector has numbers.
 * @returns The scale: code times scale is about the number; 0 for a vector of zeros.
 */
export function quantise(vector: Float32Array, codes: Int8Array): number {
  let largest = 0;
  for (let axis = 0; axis < vector.length; axis += 1)
    largest = Math.max(largest, Math.abs(vector[axis] as number));
  const scale = Math.fround(largest / 127);
  for (let axis = 0; axis < vector.length; axis += 1)
    codes[axis] = scale === 0 ? 0 : Math.round((vector[axis] as number) / scale);
  return scale;
}

/** A vector, by its number, and how near it is: the cosine, -1 to 1. */
export interface NearVector {
  readonly index: number;
  readonly score: number;
}

/**
 * The nearest of many vectors: all are judged by their codes, and the best by the exact vectors. Equal scores are
 * ordered by number.
 *
 * @param query Length one.
 * @param exactOf Gives the exact vector of a number; called for `candidateCount` of them.
 * @returns At most `count`, best first.
 */
export function nearestVectors(
  query: Float32Array,
  vectors: QuantisedVectors,
  options: {
    readonly count: number;
    /** How many to compute exactly; at least `count`. */
    readonly candidateCount: number;
    readonly exactOf: (index: number) => Float32Array;
  },
): NearVector[] {
  const codes = new Int8Array(query.length);
  const queryScale = quantise(query, codes);
  const rough: NearVector[] = [];
  for (let index = 0; index < vectors.scales.length; index += 1) {
    const scale = vectors.scales[index] as number;
    rough.push({ index, score: codeProduct(codes, vectors.codes, index) * scale * queryScale });
  }
  rough.sort(nearerFirst);
  return rough
    .slice(0, Math.max(options.candidateCount, options.count))
    .map(({ index }) => ({ index, score: dotProduct(query, options.exactOf(index)) }))
    .sort(nearerFirst)
    .slice(0, options.count);
}

function nearerFirst(left: NearVector, right: NearVector): number {
  return right.score - left.score || left.index - right.index;
}

/** The sum of the products of a query's codes and those of a vector, given by its number. */
export function codeProduct(query: Int8Array, codes: Int8Array, index: number): number {
  const base = index * query.length;
  let sum = 0;
  for (let axis = 0; axis < query.length; axis += 1)
    sum = (sum + Math.imul(query[axis] as number, codes[base + axis] as number)) | 0;
  return sum;
}

/** The cosine of two vectors of length one, summed in the order of the axes. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < left.length; axis += 1)
    sum += (left[axis] as number) * (right[axis] as number);
  return sum;
}
