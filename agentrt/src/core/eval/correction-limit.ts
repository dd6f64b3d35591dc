/** Most targets that are told apart; beyond it the one that was corrected longest ago is forgotten. */
const targetCountMax = 10_000;

/** Limits how often each target may be corrected: each target has a sliding window. */
export class CorrectionLimit {
  readonly #countMax: number;
  readonly #windowMs: number;
  readonly #timesMs = new Map<string, number[]>();

  /**
   * @param countMax Corrections allowed in the window, 0 or more.
   * @param windowMs Its length.
   */
  constructor(countMax: number, windowMs: number) {
    this.#countMax = countMax;
    this.#windowMs = windowMs;
  }

  /**
   * Asks for one correction; it is counted when it is allowed.
   *
   * @param target Name of the agent.
   * @param nowMs Monotonic time.
   */
  allows(target: string, nowMs: number): boolean {
    const recent = (this.#timesMs.get(target) ?? []).filter((at) => at > nowMs - this.#windowMs);
    const isAllowed = recent.length < this.#countMax;
    if (isAllowed) recent.push(nowMs);
    this.#timesMs.delete(target);
    if (recent.length > 0) this.#timesMs.set(target, recent);
    if (this.#timesMs.size > targetCountMax) {
      const [oldest] = this.#timesMs.keys();
      if (oldest !== undefined) this.#timesMs.delete(oldest);
    }
    return isAllowed;
  }
}
