const resampleCount = 2000;
const seed = 20_240_501;

/**
 * The 95 % interval of a mean, by 2,000 resamples with a fixed seed.
 *
 * @param values For example one score a query.
 * @returns The bounds, lower first; both are the mean when there are fewer than three values.
 */
export function bootstrapInterval(values: readonly number[]): readonly [number, number] {
  const mean = meanOf(values);
  if (values.length < 3) return [mean, mean];
  const means = new Float64Array(resampleCount);
  let state = seed;
  for (let sample = 0; sample < resampleCount; sample += 1) {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1) {
      // Numerical Recipes' generator; its high bits are the random ones.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      sum += values[Math.floor((state / 2 ** 32) * values.length)] as number;
    }
    means[sample] = sum / values.length;
  }
  means.sort();
  const at = (share: number): number => means[Math.floor(share * (resampleCount - 1))] as number;
  return [at(0.025), at(0.975)];
}

/** The mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
