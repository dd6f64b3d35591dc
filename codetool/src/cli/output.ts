import { writeSync } from "node:fs";

/** The part of a writable stream that the command line uses. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string | Uint8Array, done?: (error?: NodeJS.ErrnoException | null) => void): boolean;
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Where an output leads. */
export interface OutputTarget {
  /** Opens the stream; asked once, when it is needed. */
  readonly openStream: () => OutputStream;
  /** What may be written to at once; absent where only the stream may be. */
  readonly descriptor?: number;
}

/**
 * Standard output whose reader may go away at any time.
 *
 * One answer is written to the descriptor at once: to load what a stream is made of takes longer than most answers. Who
 * answers request after request calls `useStream` before: a client may write its next request before it reads, and
 * must not be waited for with all else at rest.
 */
export class Output {
  readonly #target: OutputTarget;
  #stream: OutputStream | undefined;
  #failure: NodeJS.ErrnoException | undefined;

  constructor(target: OutputTarget) {
    this.#target = target;
  }

  /** From now on nothing else waits while somebody reads what was written. */
  useStream(): OutputStream {
    if (this.#stream !== undefined) return this.#stream;
    const stream = this.#target.openStream();
    stream.on("error", (error) => {
      // Told to the write as well; without a listener it would end the process.
      this.#failure = error;
    });
    this.#stream = stream;
    return stream;
  }

  /**
   * Writes, and waits until the text is taken. A reader that has seen enough (`| head`) is not a failure: what is written
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
    const { descriptor } = this.#target;
    if (descriptor === undefined || this.#stream !== undefined)
      return await this.#writeStream(text);
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      return undefined;
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      // A pipe that somebody has set not to wait is full.
      if (failure.code === "EAGAIN") return await this.#writeStream(bytes.subarray(written));
      this.#failure = failure;
      return failure;
    }
  }

  async #writeStream(text: string | Uint8Array): Promise<NodeJS.ErrnoException | undefined | null> {
    const stream = this.useStream();
    return await new Promise((resolve) => {
      stream.write(text, resolve);
    });
  }
}
