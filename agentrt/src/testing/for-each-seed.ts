/** Which seeds are tried. */
export interface SeedRange {
  /** How many; default 20. */
  readonly count?: number | undefined;
  /** The first one; default 1. To repeat a failure, give its seed here and a count of 1. */
  readonly first?: number | undefined;
}

/**
 * Runs a test once for each seed, one after the other: each explores another interleaving. The first failure ends it,
 * and its message begins with the seed that repeats it.
 *
 * @param range Which seeds.
 * @param run The test.
 * @throws Error that names the seed, with the test's own failure as its cause.
 *
 * @example
 * await forEachSeed({ count: 50 }, async (seed) => {
 *   await using simulation = new Simulation({ seed, supervision });
 *   await simulation.start();
 * });
 */
export async function forEachSeed(
  range: SeedRange,
  run: (seed: number) => Promise<void> | void,
): Promise<void> {
  const first = range.first ?? 1;
  const last = first + (range.count ?? 20) - 1;
  for (let seed = first; seed <= last; seed += 1) {
    try {
      await run(seed);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const again = `repeat it with { first: ${seed}, count: 1 }`;
      throw new Error(`seed ${seed} of ${first} to ${last}, ${again}: ${reason}`, { cause: error });
    }
  }
}
