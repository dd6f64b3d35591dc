import type { System, TimerHandle } from "./system.ts";

const tickMs = 250;

/**
 * A clock that is looked at for each message, where reading a real one would cost too much: a timer sets it, four times a
 * second, while somebody wants to know.
 */
export class CoarseClock {
  /** Monotonic time of the last tick, milliseconds; minus infinity while it is stopped. */
  nowMs = Number.NEGATIVE_INFINITY;
  #timer: TimerHandle | undefined;

  /** Lets it run. Its timer keeps a process alive. */
  start(system: Pick<System, "monotonicMs" | "setTimer">): void {
    this.nowMs = system.monotonicMs();
    this.#timer = system.setTimer(tickMs, () => this.start(system));
  }

  /** Stops it. */
  end(system: Pick<System, "clearTimer">): void {
    if (this.#timer !== undefined) system.clearTimer(this.#timer);
    this.#timer = undefined;
    this.nowMs = Number.NEGATIVE_INFINITY;
  }
}
