/** Rows of numbers of one length, one after the other. */
export interface Rows {
  readonly dimensions: number;
  readonly numbers: Float32Array;
}

/** Tokens on either side that are looked at. */
const windowTokens = 10;
/** Occurrences of a token in one repository that are looked at: what a project is about must not be what a word means. */
const occurrencesPerRepositoryMax = 40;

/**
 * The mean around each token: of the vectors, each times its weight, of the tokens up to ten places
 * before and after it that have one.
 */
export class ContextMeans {
  readonly #rows: Rows;
  readonly #sums: Float32Array;
  readonly #counts: Uint32Array;
  readonly #countsHere: Uint16Array;
  readonly #window: Float32Array;

  /**
   * @param rows A row for each token, its vector times its weight; zeros where it has none.
   */
  constructor(rows: Rows) {
    this.#rows = rows;
    const count = rows.numbers.length / rows.dimensions;
    this.#sums = new Float32Array(rows.numbers.length);
    this.#counts = new Uint32Array(count);
    this.#countsHere = new Uint16Array(count);
    this.#window = new Float32Array(rows.dimensions);
  }

  /** Begins with another repository. */
  beginRepository(): void {
    this.#countsHere.fill(0);
  }

  /** Adds the occurrences in one text: numbers of tokens, below 0 for those that are left out. */
  add(tokens: Int32Array): void {
    this.#window.fill(0);
    for (let next = 0; next < windowTokens; next += 1) this.#shift(tokens[next], 1);
    for (let at = 0; at < tokens.length; at += 1) {
      this.#shift(tokens[at + windowTokens], 1);
      this.#shift(tokens[at - windowTokens - 1], -1);
      const token = tokens[at] as number;
      if (token >= 0) this.#count(token);
    }
  }

  #shift(token: number | undefined, sign: number): void {
    if (token === undefined || token < 0) return;
    const { dimensions, numbers } = this.#rows;
    const window = this.#window;
    const from = token * dimensions;
    for (let axis = 0; axis < dimensions; axis += 1)
      window[axis] = (window[axis] as number) + sign * (numbers[from + axis] as number);
  }

  #count(token: number): void {
    if ((this.#countsHere[token] as number) >= occurrencesPerRepositoryMax) return;
    this.#countsHere[token] = (this.#countsHere[token] as number) + 1;
    this.#counts[token] = (this.#counts[token] as number) + 1;
    const { dimensions, numbers } = this.#rows;
    const window = this.#window;
    const sums = this.#sums;
    const from = token * dimensions;
    for (let axis = 0; axis < dimensions; axis += 1) {
      const place = from + axis;
      // Not itself.
      sums[place] = (sums[place] as number) + (window[axis] as number) - (numbers[place] as number);
    }
  }

  /** How many occurrences of a token were looked at. */
  countOf(token: number): number {
    return this.#counts[token] as number;
  }

  /** The mean around a token; zeros when it was not met. */
  meanOf(token: number): Float32Array {
    const { dimensions } = this.#rows;
    const mean = this.#sums.slice(token * dimensions, (token + 1) * dimensions);
    const count = Math.max(1, this.countOf(token));
    for (let axis = 0; axis < dimensions; axis += 1) mean[axis] = (mean[axis] as number) / count;
    return mean;
  }
}
