import { fromHalf } from "./half-float.ts";

/** Rows of half-precision numbers, each with an amount. */
export interface WeightedRows {
  readonly count: number;
  /** Half-precision numbers by their bits. */
  readonly vectors: Uint16Array;
  /** Where each row begins in `vectors`. */
  readonly places: ArrayLike<number>;
  readonly amounts: Float32Array;
}

/**
 * Adds rows to a vector in their order, each number times the amount of its row: every product and every sum is rounded
 * to single precision. Four rows are added at a time, each number of the vector read and written once for them: half of
 * the time of one by one.
 *
 * @param halves The value of each half-precision number, by its bits.
 */
export function addRows(
  vector: Float32Array,
  { count, vectors, places, amounts }: WeightedRows,
  halves: Float32Array,
): void {
  const round = Math.fround;
  let row = 0;
  for (; row + 4 <= count; row += 4) {
    const place0 = places[row] as number;
    const place1 = places[row + 1] as number;
    const place2 = places[row + 2] as number;
    const place3 = places[row + 3] as number;
    const amount0 = amounts[row] as number;
    const amount1 = amounts[row + 1] as number;
    const amount2 = amounts[row + 2] as number;
    const amount3 = amounts[row + 3] as number;
    for (let axis = 0; axis < vector.length; axis += 1) {
      const value0 = halves[vectors[place0 + axis] as number] as number;
      const value1 = halves[vectors[place1 + axis] as number] as number;
      const value2 = halves[vectors[place2 + axis] as number] as number;
      const value3 = halves[vectors[place3 + axis] as number] as number;
      let sum = round((vector[axis] as number) + round(value0 * amount0));
      sum = round(sum + round(value1 * amount1));
      sum = round(sum + round(value2 * amount2));
      vector[axis] = sum + round(value3 * amount3);
    }
  }
  for (; row < count; row += 1) {
    const place = places[row] as number;
    const amount = amounts[row] as number;
    for (let axis = 0; axis < vector.length; axis += 1) {
      const value = halves[vectors[place + axis] as number] as number;
      vector[axis] = (vector[axis] as number) + round(value * amount);
    }
  }
}

/** The same, for so few rows that a table of all numbers does not pay. */
export function addFewRows(
  vector: Float32Array,
  { count, vectors, places, amounts }: WeightedRows,
): void {
  for (let row = 0; row < count; row += 1) {
    const place = places[row] as number;
    const amount = amounts[row] as number;
    for (let axis = 0; axis < vector.length; axis += 1) {
      const value = fromHalf(vectors[place + axis] as number);
      vector[axis] = (vector[axis] as number) + Math.fround(value * amount);
    }
  }
}
