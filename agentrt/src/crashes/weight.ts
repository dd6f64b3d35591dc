/** Values of one object that are looked at: beyond it counts as heavy. */
const nodeCountMax = 4096;

/**
 * Estimates how many characters a value takes as JSON, without making that.
 *
 * @param value Plain JSON, or what nobody has checked.
 * @param weightMax Where it may stop.
 * @returns About its length; more than `weightMax` for what is longer or has too many parts.
 */
export function weightOf(value: unknown, weightMax: number): number {
  let weight = 0;
  let nodeCount = 0;
  const weigh = (each: unknown): void => {
    nodeCount += 1;
    if (nodeCount > nodeCountMax) weight = Math.max(weight, weightMax + 1);
    if (weight > weightMax) return;
    if (typeof each === "string") weight += each.length + 3;
    else if (typeof each === "object" && each !== null) {
      weight += 2;
      for (const key in each) {
        weight += key.length + 4;
        weigh((each as { readonly [key: string]: unknown })[key]);
        if (weight > weightMax) return;
      }
    } else weight += 6;
  };
  weigh(value);
  return weight;
}
