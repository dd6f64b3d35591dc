/** How long after it was signed a message is taken, milliseconds; clocks of machines may differ by as much. */
export const replayWindowMs = 120_000;

/** Most nonces that are remembered for one signer. */
export const nonceCountMax = 10_000;

/**
 * Tells a message that was not seen yet from one that was: by its nonce while that is remembered, by its time after that.
 * Nonces are forgotten when the window has passed, or when there are too many; then what is as old as a forgotten one is
 * taken no more, so that a forgotten nonce can never be used again.
 */
export class ReplayWindow {
  /** Times of signing by nonce, in the order of their coming. */
  readonly #seen = new Map<string, number>();
  /** What was signed at this time or before is no longer told apart. */
  #floorMs = Number.NEGATIVE_INFINITY;

  /**
   * Takes a message whose signature was checked.
   *
   * @param nonce Of the message.
   * @param signedAtMs When it says that it was signed; wall clock of its sender.
   * @param nowMs Wall clock of the receiver.
   * @returns Undefined when it is new, else why it is not taken.
   */
  take(nonce: string, signedAtMs: number, nowMs: number): string | undefined {
    if (signedAtMs > nowMs + replayWindowMs) return "it was signed in the future";
    const floorMs = Math.max(this.#floorMs, nowMs - replayWindowMs);
    if (signedAtMs <= floorMs) return "it is too old to tell it from one that is sent again";
    if (this.#seen.has(nonce)) return "it was sent before";
    this.#seen.set(nonce, signedAtMs);
    this.#forget(nowMs);
    return undefined;
  }

  #forget(nowMs: number): void {
    for (const [nonce, signedAtMs] of this.#seen) {
      const isPast = signedAtMs <= nowMs - replayWindowMs;
      if (!isPast && this.#seen.size <= nonceCountMax) return;
      this.#seen.delete(nonce);
      this.#floorMs = Math.max(this.#floorMs, signedAtMs);
    }
  }
}
