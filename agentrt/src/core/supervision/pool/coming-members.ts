import type { Slot } from "../supervisor-job.ts";

/** A start that takes less counts in any case, in milliseconds: no pool knows yet how long its starts take. */
const patienceMsMin = 1000;

/**
 * The members of a pool that are on their way: each counts for one of the messages that wait, so that this message
 * brings no second one. One that takes twice as long as any start before may hang, and counts no more.
 */
export class ComingMembers {
  /** Since when, as monotonic time; the earliest comes first. */
  readonly #sinceMs = new Map<Slot, number>();
  #startMsMax = 0;

  /** Takes note of a member that was added, or that starts with the pool. */
  add(slot: Slot, nowMs: number): void {
    this.#sinceMs.set(slot, nowMs);
  }

  /** Takes note of how long the start of a member took. */
  noteStart(slot: Slot, nowMs: number): void {
    const sinceMs = this.#sinceMs.get(slot) ?? nowMs;
    this.#startMsMax = Math.max(this.#startMsMax, nowMs - sinceMs);
  }

  /** @returns False when it was not on its way. */
  delete(slot: Slot): boolean {
    return this.#sinceMs.delete(slot);
  }

  /** The pool starts again. */
  clear(): void {
    this.#sinceMs.clear();
  }

  /**
   * Says how many count.
   *
   * @param nowMs Monotonic time.
   * @param leastMs How long each counts at least.
   * @returns Their number, and when the first of them counts no more.
   */
  counting(nowMs: number, leastMs: number): { readonly count: number; readonly untilMs: number } {
    const patienceMs = Math.max(patienceMsMin, leastMs, 2 * this.#startMsMax);
    let count = 0;
    let untilMs = Number.POSITIVE_INFINITY;
    for (const sinceMs of this.#sinceMs.values()) {
      if (sinceMs + patienceMs <= nowMs) continue;
      count += 1;
      untilMs = Math.min(untilMs, sinceMs + patienceMs);
    }
    return { count, untilMs };
  }
}
