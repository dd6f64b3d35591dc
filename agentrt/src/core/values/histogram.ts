/** Upper bounds of the buckets of durations, in seconds. What is longer is in the last bucket, that of all. */
export const durationBounds: readonly number[] = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** Counts of durations, as a plain value. */
export interface HistogramValue {
  /** For each of `durationBounds`, and one more: how many fell into that bucket and none below it. */
  readonly bucketCounts: readonly number[];
  readonly sumSeconds: number;
  readonly count: number;
}

/** Counts durations by bucket. */
export class Histogram {
  readonly #bucketCounts = new Float64Array(durationBounds.length + 1);
  #sumSeconds = 0;
  #count = 0;

  /** Counts a duration. */
  observe(durationMs: number): void {
    const seconds = durationMs / 1000;
    let index = 0;
    while (index < durationBounds.length && seconds > (durationBounds[index] as number)) index += 1;
    this.#bucketCounts[index] = (this.#bucketCounts[index] as number) + 1;
    this.#sumSeconds += seconds;
    this.#count += 1;
  }

  /** Adds what another one has counted. */
  add(other: HistogramValue): void {
    other.bucketCounts.forEach((count, index) => {
      this.#bucketCounts[index] = (this.#bucketCounts[index] ?? 0) + count;
    });
    this.#sumSeconds += other.sumSeconds;
    this.#count += other.count;
  }

  /** @returns What was counted. */
  toValue(): HistogramValue {
    // A snapshot makes one of each agent: this is the fastest way.
    const bucketCounts: number[] = [];
    for (const count of this.#bucketCounts) bucketCounts.push(count);
    return { bucketCounts, sumSeconds: this.#sumSeconds, count: this.#count };
  }
}
