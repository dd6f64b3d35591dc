import { fstatSync, writeSync } from "node:fs";

/** The part of a writable stream that the command line uses. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string | Uint8Array, done?: (error?: NodeJS.ErrnoException | null) => void): boolean;
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Where output is written. */
export interface OutputTarget {
  /** Opens the stream; called once, when it is needed. */
  readonly openStream: () => OutputStream;
  /** A file descriptor that may be written to directly; absent where only the stream may be used. */
  readonly descriptor?: number;
}

/**
 * Standard output whose reader may go away at any time.
 *
 * One answer is written directly to the descriptor: loading the code of streams takes longer than most answers. A
 * server that answers many requests calls `useStream` first: its client may write the next request before it reads,
 * and a blocking write would stop everything else until it does.
 */
export class Output {
  readonly #target: OutputTarget;
  #stream: OutputStream | undefined;
  #failure: NodeJS.ErrnoException | undefined;

  constructor(target: OutputTarget) {
    this.#target = target;
  }

  /** Whether it is a terminal. What cannot be one is not opened for that. */
  isTerminal(): boolean {
    const { descriptor } = this.#target;
    try {
      if (descriptor !== undefined && !fstatSync(descriptor).isCharacterDevice()) return false;
    } catch {
      // It is closed.
      return false;
    }
    return this.useStream().isTTY === true;
  }

  /** Writes through the stream from now on, so that a slow reader does not block anything else. */
  useStream(): OutputStream {
    if (this.#stream !== undefined) return this.#stream;
    const stream = this.#target.openStream();
    stream.on("error", (error) => {
      // The write gets this error as well; without a listener it would end the process.
      this.#failure = error;
    });
    this.#stream = stream;
    return stream;
  }

  /**
   * Writes, and waits until the text is taken. A reader that stops early (`| head`) is not a failure: what is
   * written after that is dropped.
   *
   * @returns False once nobody reads any more.
   * @throws Error when the text cannot be written for another reason, for example a full disk.
   */
  async write(text: string | Uint8Array): Promise<boolean> {
    const failure = this.#failure ?? (await this.#writeOnce(text));
    if (failure === undefined || failure === null) return true;
    if (failure.code === "EPIPE") return false;
    throw failure;
  }

  async #writeOnce(text: string | Uint8Array): Promise<NodeJS.ErrnoException | undefined | null> {
    const { descriptor } = this.#target;
    if (descriptor === undefined || this.#stream !== undefined)
      return await this.#writeStream(text);
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      return undefined;
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      // The pipe is full, and somebody has made it non-blocking.
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
