import type { Runnable, Scheduler } from "../core/index.ts";
import type { SeededRandom } from "./seeded-random.ts";

/**
 * Serves one message of one mailbox at a time and lets a seed choose which: the same seed gives the same
 * interleaving. Between two messages everything that promises have to do is done.
 */
export class SeededScheduler implements Scheduler {
  readonly sliceLengthMax = 1;
  readonly #random: SeededRandom;
  readonly #realTurn: (callback: () => void) => void;
  readonly #runnables: Runnable[] = [];
  #isArmed = false;
  #stepCount = 0;

  /**
   * @param random Chooses.
   * @param realTurn Runs a callback in a later turn of the real event loop.
   */
  constructor(random: SeededRandom, realTurn: (callback: () => void) => void) {
    this.#random = random;
    this.#realTurn = realTurn;
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

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#realTurn(() => this.#step());
  }

  #step(): void {
    this.#isArmed = false;
    const index = this.#random.below(this.#runnables.length);
    const [runnable] = this.#runnables.splice(index, 1);
    if (this.#runnables.length > 0) this.#arm();
    this.#stepCount += 1;
    runnable?.run();
  }
}
