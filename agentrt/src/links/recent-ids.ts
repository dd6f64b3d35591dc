/** The latest ids of many: those of the latest generation and of the one before. */
export class RecentIds {
  readonly #countMin: number;
  /** Who forgets the oldest one by one looks at the places of all that went. */
  #ids = new Set<string>();
  #before: ReadonlySet<string> = new Set<string>();

  /** @param countMin Ids that are remembered at least; twice as many at most. */
  constructor(countMin: number) {
    this.#countMin = countMin;
  }

  has(id: string): boolean {
    return this.#ids.has(id) || this.#before.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size < this.#countMin) return;
    this.#before = this.#ids;
    this.#ids = new Set();
  }
}
