import type { TimerHandle } from "../../core/ports/system.ts";

/** The part of a `System` that a listener needs: a clock and timers that the test moves. */
export class ManualTime {
  #ms = 0;
  #idCount = 0;
  readonly pending = new Map<TimerHandle, () => void>();

  monotonicMs(): number {
    return this.#ms;
  }

  nextId(): string {
    this.#idCount += 1;
    return `id-${this.#idCount}`;
  }

  nextTraceId(): string {
    return "1".repeat(32);
  }

  nextSpanId(): string {
    return "2".repeat(16);
  }

  /** The wall clock. */
  nowMs(): number {
    return 1_000_000 + this.#ms;
  }

  yieldTurn(callback: () => void): void {
    setImmediate(callback);
  }

  setTimer(delayMs: number, callback: () => void): TimerHandle {
    const handle = { timer: delayMs };
    this.pending.set(handle, callback);
    return handle;
  }

  clearTimer(handle: TimerHandle): void {
    this.pending.delete(handle);
  }

  /** Settles with the callback of the timer of that delay, as soon as there is one. */
  async timer(delayMs: number): Promise<() => void> {
    for (;;) {
      const found = [...this.pending].find(([{ timer }]) => timer === delayMs);
      if (found !== undefined) return found[1];
      await new Promise(setImmediate);
    }
  }

  /** Fires the timer of that delay, as soon as there is one. */
  async fire(delayMs: number): Promise<void> {
    (await this.timer(delayMs))();
  }

  /** Lets the time pass and all timers fire. */
  pass(ms: number): void {
    this.#ms += ms;
    const due = new Map(this.pending);
    for (const [handle, callback] of due) {
      this.pending.delete(handle);
      callback();
    }
  }
}
