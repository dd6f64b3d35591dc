import type { Runnable, Scheduler } from "../../core/index.ts";
import type { SeededRandom } from "../seeded-random.ts";

/** Somebody hears when more than a number of messages were served. */
export interface StepLimit {
  readonly lastStep: number;
  readonly onPassed: () => void;
}

/**
 * Serves one message of one mailbox at a time and lets a seed choose which: the same seed gives the same
 * interleaving. Between two messages everything that promises have to do is done.
 */
export class SeededScheduler implements Scheduler {
  readonly sliceLengthMax = 1;
  readonly #random: SeededRandom;
  readonly #later: (callback: () => void) => void;
  readonly #runnables: Runnable[] = [];
  readonly #limits = new Set<StepLimit>();
  #isArmed = false;
  #stepCount = 0;

  /**
   * @param random Chooses.
   * @param later Runs a callback when promises have nothing left to do.
   */
  constructor(random: SeededRandom, later: (callback: () => void) => void) {
    this.#random = random;
    this.#later = later;
  }

  /** True when no mailbox has anything to do. */
  get isIdle(): boolean {
    return this.#runnables.length === 0 && !this.#isArmed;
  }

  /** Messages served so far, whatever the mailbox. */
  get stepCount(): number {
    return this.#stepCount;
  }

  ready(runnable: Runnable): void {
    this.#runnables.push(runnable);
    this.#arm();
  }

  pause(runnable: Runnable): void {
    this.ready(runnable);
  }

  /**
   * Calls back once more messages were served than a number.
   *
   * @param lastStep The number, as `stepCount`.
   * @param onPassed Is called once.
   * @returns What `dropLimit` takes.
   */
  limitAt(lastStep: number, onPassed: () => void): StepLimit {
    const limit = { lastStep, onPassed };
    this.#limits.add(limit);
    return limit;
  }

  /** Calls back no more. */
  dropLimit(limit: StepLimit): void {
    this.#limits.delete(limit);
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#later(() => this.#step());
  }

  #step(): void {
    this.#isArmed = false;
    if (this.#runnables.length === 0) return;
    const index = this.#random.below(this.#runnables.length);
    const runnable = this.#runnables[index];
    const last = this.#runnables.pop();
    if (last !== undefined && last !== runnable) this.#runnables[index] = last;
    this.#stepCount += 1;
    for (const limit of this.#limits) {
      if (this.#stepCount <= limit.lastStep) continue;
      this.#limits.delete(limit);
      limit.onPassed();
    }
    // Armed whatever waits: it is idle only when promises, too, had their turn and nothing came of it.
    this.#arm();
    runnable?.run();
  }
}
