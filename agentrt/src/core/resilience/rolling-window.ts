const bucketCount = 10;

interface Bucket {
  /** Number of the time slice that it counts, from the clock's zero. */
  slice: number;
  calls: number;
  failures: number;
}

/** How many calls of the last while failed: sums over ten slices of the window, so that it takes no more room under load. */
export class RollingWindow {
  readonly #sliceMs: number;
  readonly #buckets: Bucket[] = Array.from({ length: bucketCount }, () => ({
    slice: -1,
    calls: 0,
    failures: 0,
  }));

  /** @param windowMs Its length, above 0. What is older by up to a tenth may count still. */
  constructor(windowMs: number) {
    this.#sliceMs = windowMs / bucketCount;
  }

  /**
   * Counts a call.
   *
   * @param nowMs Monotonic time.
   * @param isFailed Whether it failed.
   */
  add(nowMs: number, isFailed: boolean): void {
    const slice = Math.floor(nowMs / this.#sliceMs);
    const bucket = this.#buckets[slice % bucketCount];
    if (bucket === undefined) return;
    if (bucket.slice !== slice) {
      bucket.slice = slice;
      bucket.calls = 0;
      bucket.failures = 0;
    }
    bucket.calls += 1;
    if (isFailed) bucket.failures += 1;
  }

  /** @returns The calls within the window that ends now, and how many of them failed. */
  counts(nowMs: number): { readonly calls: number; readonly failures: number } {
    const last = Math.floor(nowMs / this.#sliceMs);
    let calls = 0;
    let failures = 0;
    for (const bucket of this.#buckets) {
      if (bucket.slice <= last - bucketCount || bucket.slice > last) continue;
      calls += bucket.calls;
      failures += bucket.failures;
    }
    return { calls, failures };
  }

  /** Forgets all calls. */
  clear(): void {
    for (const bucket of this.#buckets) bucket.slice = -1;
  }
}
