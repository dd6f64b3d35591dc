import { startTimer } from "../../system/index.ts";

/** Rings when something changed; several changes between two waits ring once. */
export class ChangeBell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  /** Something changed. */
  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /**
   * Waits until it rings, or has rung since the last wait.
   *
   * @returns True when it rang; false when the time is over or `signal` is aborted.
   */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasRung && !signal.aborted) await this.#sleep(timeoutMs, signal);
    const hasRung = this.#hasRung;
    this.#hasRung = false;
    return hasRung;
  }

  async #sleep(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        timer.stop();
        signal.removeEventListener("abort", end);
        this.#wake = undefined;
        resolve();
      };
      const timer = startTimer(timeoutMs, end);
      signal.addEventListener("abort", end);
      this.#wake = end;
    });
  }
}
