import type { ChunkStream, JsonObject } from "../core/index.ts";

/** What a stream that may be asked for again is made from. */
export interface RetriedStreamInit {
  /** Asks for it. */
  readonly open: () => ChunkStream;
  /**
   * Decides about an attempt that failed before its first chunk.
   *
   * @returns How long to wait before the next one, 0 or more; undefined for none.
   */
  readonly delayMsAfter: (error: unknown) => number | undefined;
  /** Lets time pass; it rejects with what ended it early, and at once when the consumer leaves. */
  readonly pause: (
    delayMs: number,
    by: { readonly error: unknown; readonly left: AbortSignal },
  ) => Promise<void>;
}

type Read = IteratorResult<JsonObject, undefined>;

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** A streamed reply that is asked for again while it fails before its first chunk: nobody has seen a part of it then. */
export class RetriedStream implements ChunkStream {
  readonly #init: RetriedStreamInit;
  readonly #left = new AbortController();
  /** Of the attempt that is under way, or of the last one. */
  #chunks: ChunkStream;
  /** True from the first chunk, or from the end or failure that is the consumer's. */
  #isDecided = false;
  /** The latest read before that. */
  #lastRead: Promise<unknown> = Promise.resolve();

  /** @param init How it is asked for: once at once, and what follows a failure. */
  constructor(init: RetriedStreamInit) {
    this.#init = init;
    this.#chunks = init.open();
  }

  next(): Promise<Read> {
    if (this.#isDecided) return this.#chunks.next();
    const read = this.#lastRead.then(() => (this.#isDecided ? this.#chunks.next() : this.#first()));
    this.#lastRead = read.catch(() => undefined);
    return read;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isDecided = true;
    this.#left.abort();
    return await this.#chunks.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #first(): Promise<Read> {
    for (;;) {
      let failure: unknown;
      try {
        const read = await this.#chunks.next();
        this.#isDecided = true;
        return read;
      } catch (error) {
        failure = error;
      }
      try {
        const delayMs = this.#isDecided ? undefined : this.#init.delayMsAfter(failure);
        if (delayMs === undefined) throw failure;
        await this.#init.pause(delayMs, { error: failure, left: this.#left.signal });
      } catch (error) {
        this.#isDecided = true;
        if (this.#left.signal.aborted) return done;
        throw error;
      }
      if (this.#left.signal.aborted) return done;
      this.#chunks = this.#init.open();
    }
  }
}
