import type { System } from "../../core/index.ts";

/** What a listener does to stop. */
export interface DrainingSteps {
  /** Accepts no new requests, and closes idle connections. */
  readonly begin: () => void;
  /** True while something is in work that a stop waits for. */
  readonly isBusy: () => boolean;
  /** Ends what is left. @returns How many requests were cut off. */
  readonly cut: () => number;
  /** Settles when the port is closed. */
  readonly close: () => Promise<void>;
}

/** The stop of one listener: requests in work are finished, or cut off at a deadline. */
export class Draining {
  readonly #system: System;
  readonly #steps: DrainingSteps;
  #stopped: Promise<{ readonly cutCount: number }> | undefined;
  #onDrained: (() => void) | undefined;

  /**
   * @param system For the deadline.
   * @param steps Of the listener.
   */
  constructor(system: System, steps: DrainingSteps) {
    this.#system = system;
    this.#steps = steps;
  }

  /** True once the stop has begun. */
  get isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  /**
   * Stops. A second stop waits with the first.
   *
   * @param options.timeoutMs Time for what is in work, milliseconds.
   * @returns How many requests were cut off.
   */
  stop(options: { readonly timeoutMs: number }): Promise<{ readonly cutCount: number }> {
    this.#stopped ??= this.#drain(options.timeoutMs);
    return this.#stopped;
  }

  /** To be called when something in work has ended: the stop goes on when it was the last. */
  onEnded(): void {
    if (this.#onDrained !== undefined && !this.#steps.isBusy()) this.#onDrained();
  }

  async #drain(timeoutMs: number): Promise<{ readonly cutCount: number }> {
    const { begin, isBusy, cut, close } = this.#steps;
    begin();
    if (isBusy()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onDrained = resolve;
      const timer = this.#system.setTimer(timeoutMs, resolve);
      await promise;
      this.#system.clearTimer(timer);
    }
    const cutCount = cut();
    await close();
    return { cutCount };
  }
}
