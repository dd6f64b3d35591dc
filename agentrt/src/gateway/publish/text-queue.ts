const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Texts on their way to one client, which takes them one by one. Who puts in more than the client has taken waits, so a
 * slow client slows down who sends to it, and nothing grows.
 */
export class TextQueue implements AsyncIterable<string> {
  readonly #texts: string[] = [];
  readonly #lengthMax: number;
  readonly #onLeft: () => void;
  #isEnded = false;
  /** Wakes the reader that waits. */
  #wake: (() => void) | undefined;
  /** Wake the writers that wait. */
  #writers: (() => void)[] = [];

  /**
   * @param lengthMax Texts that wait at most before writers do, 1 or more.
   * @param onLeft Called once when the client has gone before the end.
   */
  constructor(lengthMax: number, onLeft: () => void) {
    this.#lengthMax = lengthMax;
    this.#onLeft = onLeft;
  }

  /** True when nothing more is taken. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Puts a text at the end; settles when there is room for another. After the end it does nothing. */
  async push(text: string): Promise<void> {
    if (this.#isEnded) return;
    this.#texts.push(text);
    this.#wake?.();
    if (this.#texts.length < this.#lengthMax) return;
    await new Promise<void>((resolve) => {
      this.#writers.push(resolve);
    });
  }

  /** Nothing comes behind what is in it. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
    this.#release();
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    return {
      next: async () => {
        for (;;) {
          const text = this.#texts.shift();
          if (text !== undefined) {
            this.#release();
            return { done: false, value: text };
          }
          if (this.#isEnded) return done;
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      },
      return: async () => {
        this.#texts.length = 0;
        if (!this.#isEnded) {
          this.end();
          this.#onLeft();
        }
        return done;
      },
    };
  }

  #release(): void {
    const writers = this.#writers;
    this.#writers = [];
    for (const write of writers) write();
  }
}
