/** The part of a writable stream that the command line uses. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string, done?: (error?: NodeJS.ErrnoException | null) => void): boolean;
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Standard output whose reader may go away at any time. */
export class Output {
  readonly #stream: OutputStream;
  #failure: NodeJS.ErrnoException | undefined;

  constructor(stream: OutputStream) {
    this.#stream = stream;
    stream.on("error", (error) => {
      // Told to the write as well; without a listener it would end the process.
      this.#failure = error;
    });
  }

  /**
   * Writes, and waits until the text is taken. A reader that has seen enough (`| head`) is no failure: what is written
   * after it left goes nowhere.
   *
   * @returns False once nobody reads any more.
   * @throws Error when the text cannot be written for another reason, for example a full disk.
   */
  async write(text: string): Promise<boolean> {
    const failure = this.#failure ?? (await this.#writeOnce(text));
    if (failure === undefined || failure === null) return true;
    if (failure.code === "EPIPE") return false;
    throw failure;
  }

  async #writeOnce(text: string): Promise<NodeJS.ErrnoException | undefined | null> {
    return await new Promise((resolve) => {
      this.#stream.write(text, resolve);
    });
  }
}
