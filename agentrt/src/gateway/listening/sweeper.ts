import type { System, TimerHandle } from "../../core/index.ts";

/** What a sweeper looks after. */
export interface SweeperOptions {
  readonly system: System;
  /** Between two sweeps, milliseconds. */
  readonly intervalMs: number;
  /**
   * Holds the times of all connections.
   *
   * @param nowMs On the monotonic clock.
   * @returns True while there is something left to look after.
   */
  readonly sweep: (nowMs: number) => boolean;
}

/** One timer for the times of all connections of a listener: it runs while there are any. */
export class Sweeper {
  readonly #options: SweeperOptions;
  #timer: TimerHandle | undefined;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** Sees to it that a sweep comes; harmless when one is planned. */
  plan(): void {
    const { system, intervalMs, sweep } = this.#options;
    this.#timer ??= system.setTimer(intervalMs, () => {
      this.#timer = undefined;
      if (sweep(system.monotonicMs())) this.plan();
    });
  }

  /** Takes back the sweep that is planned. */
  stop(): void {
    if (this.#timer !== undefined) this.#options.system.clearTimer(this.#timer);
  }
}
