/** How far behind the newest message of a process another one may be and still be taken, messages. */
export const windowCountMax = 10_000;
/** Most processes whose messages are remembered; each takes as many bytes as its window has messages. */
const processCountMax = 256;

interface Window {
  newest: number;
  /** For each place of the window, modulo its size: 1 where that message was taken. */
  readonly taken: Uint8Array;
}

/**
 * Knows which messages were taken already. Each process numbers what it signs; a number that was taken, or that is so far behind the
 * newest one that nobody knows any more, is refused.
 */
export class ReplayWindow {
  readonly #windows = new Map<string, Window>();

  /**
   * Takes a message, whose signature is good.
   *
   * @param process Of the signer, at each of its starts another one.
   * @param number Of the message.
   * @returns False for one that was taken before, or that is too old to tell.
   */
  take(process: string, number: number): boolean {
    const window = this.#windowOf(process, number);
    const { newest, taken } = window;
    if (number <= newest - windowCountMax) return false;
    if (number > newest) {
      const passedCount = Math.min(number - newest, windowCountMax);
      for (let step = 1; step <= passedCount; step += 1)
        taken[(number - passedCount + step) % windowCountMax] = 0;
      window.newest = number;
    } else if (taken[number % windowCountMax] === 1) return false;
    taken[number % windowCountMax] = 1;
    return true;
  }

  #windowOf(process: string, number: number): Window {
    const known = this.#windows.get(process);
    const window = known ?? { newest: number - 1, taken: new Uint8Array(windowCountMax) };
    // The one that was used last is the last one.
    if (known !== undefined) this.#windows.delete(process);
    this.#windows.set(process, window);
    if (this.#windows.size > processCountMax) {
      const [oldest] = this.#windows.keys();
      if (oldest !== undefined) this.#windows.delete(oldest);
    }
    return window;
  }
}
