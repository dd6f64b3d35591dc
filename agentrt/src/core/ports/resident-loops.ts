/** A message loop that waits for its next message. */
export interface ResidentLoop {
  /** Called when the loop is no longer kept: it ends when it waits, and begins again with the next message. */
  evict(): void;
}

/** Most loops that are kept while they wait. */
export const residentLoopCountMax = 1024;

/**
 * Decides which agents keep their message loop while they wait. A kept loop wakes faster, an ended loop costs no
 * memory. About the latest thousand are kept, so that a hundred thousand idle agents cost little.
 */
export class ResidentLoops {
  readonly #loops: (ResidentLoop | undefined)[] = [];
  #cursor = 0;

  /** Keeps a loop. When there are too many, the loop that was kept the longest is evicted. */
  admit(loop: ResidentLoop): void {
    const evicted = this.#loops[this.#cursor];
    this.#loops[this.#cursor] = loop;
    this.#cursor = (this.#cursor + 1) % residentLoopCountMax;
    evicted?.evict();
  }
}
