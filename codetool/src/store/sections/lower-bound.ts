/**
 * Finds where a value belongs among ascending ones.
 *
 * @returns The first place whose value is not below it; their number when all are.
 */
export function lowerBound(ascending: Uint32Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
