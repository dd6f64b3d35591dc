/** Randomness that a seed repeats: sfc32, a small generator that passes the usual test batteries. */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /**
   * @param seed Any whole number.
   * @param stream Tells apart generators with one seed; default 0.
   */
  constructor(seed: number, stream = 0) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 0x1_0000_0000) >>> 0;
    this.#c = stream >>> 0;
    for (let round = 0; round < 12; round += 1) this.nextWord();
  }

  /** @returns A whole number from 0 to 2^32 - 1. */
  nextWord(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** @returns A number in [0, 1). */
  next(): number {
    return this.nextWord() / 0x1_0000_0000;
  }

  /**
   * @param countMax 1 or more.
   * @returns A whole number from 0 to `countMax - 1`.
   */
  below(countMax: number): number {
    return Math.floor(this.next() * countMax);
  }
}
