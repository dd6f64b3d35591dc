/** Work that is done in its order, one piece behind the other. */
export class Chain {
  #tail: Promise<void> | undefined;
  /** Pieces that are not done. */
  length = 0;

  /** True while some is not done. */
  get isBusy(): boolean {
    return this.#tail !== undefined;
  }

  /** Settles when all that was pushed before is done. */
  get done(): Promise<void> {
    return this.#tail ?? Promise.resolve();
  }

  /**
   * Does a piece of work when all before it is done.
   *
   * @param work It must not reject.
   */
  push(work: () => Promise<void>): void {
    const before = this.#tail;
    this.length += 1;
    const mine = before === undefined ? work() : before.then(work);
    this.#tail = mine;
    void mine.then(() => {
      this.length -= 1;
      if (this.#tail === mine) this.#tail = undefined;
    });
  }
}
