import type { System } from "../ports/index.ts";
import type { StopOptions } from "../tree/index.ts";
import type { Incarnation } from "./incarnation.ts";

/**
 * The incarnations of an agent besides the one that it goes by: the next one while it starts, and those in whose place
 * another one has come, while they finish what they have at hand. No message wakes any of them.
 */
export class Companions {
  readonly #system: System;
  /** Each with what settles at its end: whether that was late. In the order in which they came. */
  readonly #ends = new Map<Incarnation, PromiseWithResolvers<boolean>>();

  /** @param system For the deadlines. */
  constructor(system: System) {
    this.#system = system;
  }

  /** Counts an incarnation among them. */
  add(incarnation: Incarnation): void {
    this.#ends.set(incarnation, Promise.withResolvers());
  }

  /** It is none of them any more: it has not started, or is the one that the agent goes by. */
  remove(incarnation: Incarnation): void {
    this.#ends.get(incarnation)?.resolve(false);
    this.#ends.delete(incarnation);
  }

  /** @returns The one that came last of those that can still run on. */
  get latest(): Incarnation | undefined {
    return [...this.#ends.keys()].findLast(({ isUp }) => isUp);
  }

  /** @returns False for an incarnation that is none of them. */
  onEnd(incarnation: Incarnation): boolean {
    const end = this.#ends.get(incarnation);
    if (end === undefined) return false;
    this.#ends.delete(incarnation);
    end.resolve(incarnation.isLate);
    return true;
  }

  /**
   * Ends all of them.
   *
   * @param options As for the stop of an agent; each has its own limit besides.
   * @returns Whether one did not end in time.
   */
  async stop(options: StopOptions): Promise<boolean> {
    const ended = [...this.#ends].map(async ([incarnation, end]) => {
      const nowMs = this.#system.monotonicMs();
      const ownMs = nowMs + incarnation.limits.shutdownTimeoutMs;
      const leftMs = Math.max(0, Math.min(ownMs, options.deadlineMs) - nowMs);
      const timer = this.#system.setTimer(leftMs, () => incarnation.abandon());
      incarnation.requestStop(options.after);
      const isLate = await end.promise;
      this.#system.clearTimer(timer);
      return isLate;
    });
    return (await Promise.all(ended)).includes(true);
  }
}
