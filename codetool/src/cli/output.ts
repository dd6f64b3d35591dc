/** The part of a writable stream that the command line uses. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string, done?: (error?: NodeJS.ErrnoException | null) => void): boolean;
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Standard output whose reader may go away at any time. */
export class Output {
  readonly #stream: OutputStream;
  #isClosed = false;

  constructor(stream: OutputStream) {
    this.#stream = stream;
    stream.on("error", () => {
      // Told to each write as well; without a listener it would end the process.
      this.#isClosed = true;
    });
  }

  /**
   * Writes, and waits until the text is taken. A reader that has seen enough (`| head`) is no failure: what is written
   * after it left goes nowhere.
   *
   * @throws Error when the text cannot be written for another reason, for example a full disk.
   */
  async write(text: string): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(text, (error) => {
        if (error === undefined || error === null || error.code === "EPIPE") resolve();
        else reject(error);
      });
    });
  }
}
