import type { System, TimerHandle } from "../../core/index.ts";

/** The listener that a sweeper serves. */
export interface SweeperOptions {
  readonly system: System;
  /** Between two sweeps, milliseconds. */
  readonly intervalMs: number;
  /**
   * Enforces the time limits of all connections.
   *
   * @param nowMs On the monotonic clock.
   * @returns True while there is something left to look after.
   */
  readonly sweep: (nowMs: number) => boolean;
}

/** One timer for the time limits of all connections of a listener; it runs only while there are connections. */
export class Sweeper {
  readonly #options: SweeperOptions;
  #timer: TimerHandle | undefined;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** Plans a sweep, unless one is planned already. */
  plan(): void {
    const { system, intervalMs, sweep } = this.#options;
    this.#timer ??= system.setTimer(intervalMs, () => {
      this.#timer = undefined;
      if (sweep(system.monotonicMs())) this.plan();
    });
  }

  /** Cancels the planned sweep. */
  stop(): void {
    if (this.#timer !== undefined) this.#options.system.clearTimer(this.#timer);
  }
}
