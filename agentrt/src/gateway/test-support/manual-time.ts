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

  /** Fires the timer of that delay, as soon as there is one. */
  async fire(delayMs: number): Promise<void> {
    for (;;) {
      const found = [...this.pending].find(([{ timer }]) => timer === delayMs);
      found?.[1]();
      if (found !== undefined) return;
      await new Promise(setImmediate);
    }
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
