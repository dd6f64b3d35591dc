import type { System, TimerHandle } from "../../core/index.ts";
import { leaseMs } from "./spread-protocol.ts";

/** Answers whose times are remembered until the supervisor has confirmed them. */
const answerCountMax = 16;

/**
 * Until when a worker may handle keys: for a time since the latest answer of it that its supervisor has confirmed. So the
 * supervisor, which counts from when it had that answer, is never earlier.
 */
export class Lease {
  readonly #system: System;
  readonly #onEnd: () => void;
  /** When probes were answered, by their numbers. */
  readonly #answeredMs = new Map<number, number>();
  #endMs = Number.NEGATIVE_INFINITY;
  #timer: TimerHandle | undefined;

  constructor(system: System, onEnd: () => void) {
    this.#system = system;
    this.#onEnd = onEnd;
  }

  /** False when its time is over. */
  get isHeld(): boolean {
    return this.#system.monotonicMs() < this.#endMs;
  }

  /** The supervisor has what was sent at that monotonic time. */
  #confirm(sentAtMs: number): void {
    this.#endMs = Math.max(this.#endMs, sentAtMs + leaseMs);
    this.#arm();
  }

  /**
   * A probe is answered now.
   *
   * @param number Of the probe.
   * @param heard Number of the latest probe whose answer the supervisor has had; 0 for none.
   */
  probed(number: number, heard: number): void {
    const sentAtMs = this.#answeredMs.get(heard);
    for (const each of this.#answeredMs.keys())
      if (each <= heard || this.#answeredMs.size >= answerCountMax) this.#answeredMs.delete(each);
    this.#answeredMs.set(number, this.#system.monotonicMs());
    if (sentAtMs !== undefined) this.#confirm(sentAtMs);
  }

  /** Forgets it. */
  stop(): void {
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    if (this.#timer !== undefined) return;
    const delayMs = Math.max(0, this.#endMs - this.#system.monotonicMs());
    this.#timer = this.#system.setTimer(delayMs, () => {
      this.#timer = undefined;
      if (this.isHeld) this.#arm();
      else this.#onEnd();
    });
  }
}
