/** A message loop that waits for its next message. */
export interface ResidentLoop {
  /** Says that the loop lost its place: when it waits it ends, and begins again with the next message. */
  evict(): void;
}

/** Most loops that are kept while they wait. */
export const residentLoopCountMax = 1024;

/**
 * Which agents keep their message loop while they wait. A loop that is kept wakes faster, one that is not costs no
 * memory: so the latest thousand or so are kept, and a hundred thousand idle agents cost little.
 */
export class ResidentLoops {
  readonly #loops: (ResidentLoop | undefined)[] = [];
  #cursor = 0;

  /** Gives a loop a place; the one that has held that place longest loses it. */
  admit(loop: ResidentLoop): void {
    const evicted = this.#loops[this.#cursor];
    this.#loops[this.#cursor] = loop;
    this.#cursor = (this.#cursor + 1) % residentLoopCountMax;
    evicted?.evict();
  }
}
