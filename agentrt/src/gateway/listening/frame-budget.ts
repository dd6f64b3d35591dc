/** How many wasted frames a connection may still send: a bucket that fills up again as time passes. */
export class FrameBudget {
  readonly #countMax: number;
  readonly #forgivenPerMs: number;
  #left: number;
  #seenAtMs: number;

  /**
   * @param options.countMax Frames at once.
   * @param options.forgivenPerSecond Frames a second in the long run.
   * @param options.nowMs The monotonic clock.
   */
  constructor(options: {
    readonly countMax: number;
    readonly forgivenPerSecond: number;
    readonly nowMs: number;
  }) {
    this.#countMax = options.countMax;
    this.#forgivenPerMs = options.forgivenPerSecond / 1000;
    this.#left = options.countMax;
    this.#seenAtMs = options.nowMs;
  }

  /**
   * Takes note of frames.
   *
   * @param nowMs The monotonic clock.
   * @param count How many.
   * @returns False when they were too many.
   */
  spend(nowMs: number, count: number): boolean {
    const forgiven = (nowMs - this.#seenAtMs) * this.#forgivenPerMs;
    this.#left = Math.min(this.#countMax, this.#left + forgiven) - count;
    this.#seenAtMs = nowMs;
    return this.#left >= 0;
  }
}
