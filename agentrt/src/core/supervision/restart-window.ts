import type { RestartLimits } from "../tree/index.ts";

/** The crashes of a supervisor's children that still count: one sliding window, shared by all children. */
export class RestartWindow {
  #windowMs = 0;
  #countMax = 0;
  #crashTimesMs: number[] = [];

  constructor(limits: RestartLimits) {
    this.setLimits(limits);
  }

  /** Counts by other limits from now on; what was recorded stays. */
  setLimits(limits: RestartLimits): void {
    this.#windowMs = limits.restartWindowMs;
    this.#countMax = limits.restartCountMax;
  }

  /**
   * Records a crash now.
   *
   * @param nowMs Monotonic time.
   * @returns Crashes in the window, this one included: 1 or more, also where the window has no length.
   */
  record(nowMs: number): number {
    this.#crashTimesMs.push(nowMs);
    return Math.max(1, this.count(nowMs));
  }

  /**
   * Counts the crashes in the window; those that are exactly as old as the window no longer count.
   *
   * @param nowMs Monotonic time.
   * @returns The number, never above the budget plus one.
   */
  count(nowMs: number): number {
    const oldestMs = nowMs - this.#windowMs;
    const times = this.#crashTimesMs;
    let expiredCount = 0;
    while (expiredCount < times.length && (times[expiredCount] as number) <= oldestMs) {
      expiredCount += 1;
    }
    if (expiredCount > 0) times.splice(0, expiredCount);
    // Only whether the budget is exceeded matters, so the oldest crashes beyond it can go.
    if (times.length > this.#countMax + 1) times.splice(0, times.length - this.#countMax - 1);
    return times.length;
  }

  /** Adds crashes that another process has seen, by their monotonic times in this one. */
  recall(timesMs: readonly number[]): void {
    this.#crashTimesMs = [...timesMs, ...this.#crashTimesMs].toSorted((a, b) => a - b);
  }

  /** Forgets all crashes. */
  clear(): void {
    this.#crashTimesMs = [];
  }
}

const jitterShare = 0.25;

/**
 * Says how long to wait before a restart.
 *
 * @param limits Backoff kind, base and cap.
 * @param crashCount Crashes in the window, this one included: 1 or more.
 * @param random A number in [0, 1), used only by EXPONENTIAL.
 * @returns Milliseconds, never above `backoffMaxMs`: the cap comes after the jitter.
 */
export function backoffDelayMs(limits: RestartLimits, crashCount: number, random: number): number {
  const { backoff, backoffBaseMs, backoffMaxMs } = limits;
  if (backoffBaseMs === 0) return 0;
  let delayMs = backoffBaseMs;
  if (backoff === "LINEAR") delayMs = backoffBaseMs * crashCount;
  if (backoff === "EXPONENTIAL") {
    delayMs = backoffBaseMs * 2 ** (crashCount - 1) * (1 + jitterShare * random);
  }
  return Math.min(delayMs, backoffMaxMs);
}

const storeDelayMsMin = 250;
const storeDelayMsMax = 10_000;

/**
 * Says how long to wait before a restart of a child that failed because the state store was away.
 *
 * @param limits The supervisor's: its backoff is the least.
 * @param faultCount How often it failed so in a row, this time included: 1 or more.
 * @param random A number in [0, 1).
 * @returns Milliseconds.
 */
export function storeDelayMs(limits: RestartLimits, faultCount: number, random: number): number {
  const ownMs = Math.min(storeDelayMsMin * 2 ** (faultCount - 1), storeDelayMsMax);
  return Math.max(ownMs, backoffDelayMs(limits, faultCount, random));
}
