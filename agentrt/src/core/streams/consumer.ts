import { busErrors, streamErrors } from "../errors.ts";
import { type JsonObject, RingBuffer } from "../values/index.ts";
import type { OpenRequest, OpenRequests } from "../messages/index.ts";
import type { StreamControl, StreamFrame } from "./frame.ts";
import type { StreamLimits } from "./options.ts";
import { type System, WheelEntry, type TimerWheel } from "../ports/index.ts";

/** The chunks of a streamed reply, in order. Leaving the loop, or `return()`, cancels what the producer still does. */
export interface ChunkStream<Chunk extends object = JsonObject>
  extends AsyncIterableIterator<Chunk, undefined>, AsyncDisposable {
  /**
   * Takes the next chunk.
   *
   * @returns The chunk, this consumer's own copy; done after the end. It rejects once when the stream failed, behind
   *   the chunks that had come, and is done afterwards.
   */
  next(): Promise<IteratorResult<Chunk, undefined>>;
  /** Gives the stream up and does not wait for the producer; twice is harmless. */
  return(): Promise<IteratorReturnResult<undefined>>;
  [Symbol.asyncIterator](): ChunkStream<Chunk>;
}

/** Most `next()` of one stream that wait at a time. */
export const readCountMax = 1000;

/** The options of the consumer's end. */
export interface StreamConsumerInit {
  readonly system: System;
  readonly wheel: TimerWheel;
  /** Name of the producing agent, for errors. */
  readonly address: string;
  /** Takes control frames to the producer's end. */
  readonly send: (control: StreamControl) => void;
  /** What the stream is read for. */
  readonly origin: object;
  /** The open requests of the consuming agent: this one is one of them until nothing more comes. */
  readonly requests: OpenRequests | undefined;
}

interface Read {
  readonly resolve: (result: IteratorResult<JsonObject, undefined>) => void;
  readonly reject: (error: Error) => void;
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The consumer's end of a stream: it checks the order of the frames, keeps the chunks that nobody has taken yet, gives
 * the producer credit for those that were taken, and holds every limit with one entry on the timer wheel.
 */
export class StreamConsumer extends WheelEntry implements ChunkStream, OpenRequest {
  /** While the request waits for room in the producer's mailbox: how many messages that holds. */
  fullLengthMax: number | undefined;
  /** Says whether the agent is suspended; asked when nothing has come. */
  isSuspended: (() => boolean) | undefined = undefined;
  /** Gets what failed, or undefined with the first chunk or an end without one. What comes later is not for it. */
  onVerdict: ((error: Error | undefined) => void) | undefined = undefined;
  /** {@inheritDoc OpenRequest.previousRequest} */
  previousRequest: OpenRequest | undefined = undefined;
  nextRequest: OpenRequest | undefined = undefined;
  readonly #system: System;
  readonly #wheel: TimerWheel;
  readonly #address: string;
  readonly #send: (control: StreamControl) => void;
  readonly origin: object;
  readonly #requests: OpenRequests | undefined;
  readonly #chunks = new RingBuffer<JsonObject>();
  readonly #reads = new RingBuffer<Read>();
  #limits: StreamLimits | undefined;
  #release: (() => void) | undefined;
  #error: Error | undefined;
  /** Nothing more comes. */
  #isSettled = false;
  #receivedCount = 0;
  /** Taken since the producer was last given credit. */
  #takenCount = 0;
  #beganAtMs = 0;
  #activeAtMs = 0;

  constructor(init: StreamConsumerInit) {
    super();
    this.#system = init.system;
    this.#wheel = init.wheel;
    this.#address = init.address;
    this.#send = init.send;
    this.origin = init.origin;
    this.#requests = init.requests;
  }

  /** True when nothing more comes. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /**
   * Begins to wait for the first chunk.
   *
   * @param init.limits What ends the stream.
   * @param init.signal Ends it when it is aborted.
   */
  open(init: { readonly limits: StreamLimits; readonly signal: AbortSignal | undefined }): void {
    const { limits, signal } = init;
    this.#limits = limits;
    this.#beganAtMs = this.#system.monotonicMs();
    const deadlineMs = Math.min(limits.firstChunkTimeoutMs, limits.durationMsMax);
    this.#wheel.arm(this, this.#beganAtMs + deadlineMs);
    this.#requests?.add(this);
    if (signal !== undefined) this.#follow(signal);
  }

  next(): Promise<IteratorResult<JsonObject, undefined>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#take();
      if (this.#isSettled) this.#releaseWhenRead();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#isSettled) {
      const error = this.#error;
      this.#error = undefined;
      return error === undefined ? Promise.resolve(done) : Promise.reject(error);
    }
    if (this.#reads.length >= readCountMax) {
      const details = { address: this.#address, readCountMax };
      return Promise.reject(new streamErrors.READS_EXHAUSTED(details));
    }
    return new Promise((resolve, reject) => this.#reads.push({ resolve, reject }));
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.cancel(undefined, "its consumer has left");
    return done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /** Takes a frame from the producer's end. */
  accept(frame: StreamFrame): void {
    if (this.#isSettled) return;
    if (frame.kind === "error") return this.#settle(frame.error);
    const expected = this.#receivedCount;
    if (frame.kind === "end" && frame.seq > expected) {
      const details = { received: expected, sent: frame.seq, reason: "truncated_stream" };
      return this.fail(new streamErrors.TRUNCATED({ address: this.#address, ...details }));
    }
    if (frame.seq !== expected) {
      const details = { expected, found: frame.seq, reason: "out_of_order" };
      return this.fail(new streamErrors.OUT_OF_ORDER({ address: this.#address, ...details }));
    }
    if (frame.kind === "end") return this.#settle(undefined);
    this.#acceptChunk(frame.payload);
  }

  /** A getter: it is the same for all streams. */
  get isStream(): true {
    return true;
  }

  /** Ends the stream with an error behind the chunks that have come, and tells the producer. */
  fail(error: Error): void {
    if (this.#isSettled) return;
    this.#settle(error);
    this.#send({ kind: "cancel", reason: reasonIn(error) });
  }

  /** As `fail`, because a time limit is over. */
  #expire(error: Error): void {
    this.#settle(error);
    this.#send({ kind: "cancel", reason: reasonIn(error), isLate: true });
  }

  /**
   * Ends the stream at once; chunks that nobody has taken are lost.
   *
   * @param error What the next read gets; undefined for none.
   * @param reason The reason that the producer gets.
   */
  cancel(error: Error | undefined, reason: string): void {
    this.#chunks.clear();
    this.onVerdict?.(error ?? new busErrors.CANCELLED({ address: this.#address }));
    if (this.#isSettled) {
      this.#error = error;
      this.#releaseWhenRead();
      return;
    }
    this.#settle(error);
    this.#send({ kind: "cancel", reason });
  }

  /** A deadline may have moved since it was set: chunks that come and go do not touch the wheel. */
  override onDue(): void {
    const limits = this.#limits;
    if (limits === undefined) return;
    const { idleTimeoutMs, durationMsMax } = limits;
    const nowMs = this.#system.monotonicMs();
    const endAtMs = this.#beganAtMs + durationMsMax;
    const idleAtMs = this.#activeAtMs + idleTimeoutMs;
    const address = this.#address;
    if (nowMs >= endAtMs) {
      const reason = "max_stream_duration exceeded";
      this.#expire(new streamErrors.DURATION_EXCEEDED({ address, durationMsMax, reason }));
    } else if (this.#receivedCount === 0) {
      this.#expire(this.#lateError(limits));
    } else if (nowMs < idleAtMs) {
      this.#wheel.arm(this, Math.min(idleAtMs, endAtMs));
    } else if (this.#chunks.length > 0) {
      const waitingChunkCount = this.#chunks.length;
      const details = { address, idleTimeoutMs, waitingChunkCount, reason: "slow_consumer" };
      this.#expire(new streamErrors.SLOW_CONSUMER(details));
    } else {
      const reason = "stream idle timeout";
      this.#expire(new streamErrors.IDLE_TIMEOUT({ address, idleTimeoutMs, reason }));
    }
  }

  #lateError({ firstChunkTimeoutMs }: StreamLimits): Error {
    const address = this.#address;
    if (this.fullLengthMax !== undefined) {
      return new busErrors.MAILBOX_FULL({ address, mailboxLengthMax: this.fullLengthMax });
    }
    const reason = "no first chunk";
    const found = this.isSuspended?.() === true ? ({ isSuspended: true } as const) : {};
    return new streamErrors.FIRST_CHUNK_TIMEOUT({ address, firstChunkTimeoutMs, reason, ...found });
  }

  #acceptChunk(chunk: JsonObject): void {
    const limits = this.#limits;
    if (limits === undefined) return;
    const refusal = this.#refusalOf(chunk, limits);
    if (refusal !== undefined) return this.fail(refusal);
    this.#receivedCount += 1;
    this.#activeAtMs = this.#system.monotonicMs();
    if (this.#receivedCount === 1) {
      this.onVerdict?.(undefined);
      this.#wheel.disarm(this);
      const endAtMs = this.#beganAtMs + limits.durationMsMax;
      this.#wheel.arm(this, Math.min(this.#activeAtMs + limits.idleTimeoutMs, endAtMs));
    }
    const read = this.#reads.shift();
    if (read === undefined) {
      this.#chunks.push(chunk);
      return;
    }
    read.resolve({ done: false, value: chunk });
    this.#giveCredit(limits);
  }

  #refusalOf(chunk: JsonObject, limits: StreamLimits): Error | undefined {
    const { bufferLengthMax, chunkCountMax, chunkSizeBytesMax, idleTimeoutMs } = limits;
    const address = this.#address;
    if (this.#chunks.length >= bufferLengthMax) {
      const waitingChunkCount = this.#chunks.length;
      const details = { address, idleTimeoutMs, waitingChunkCount, reason: "slow_consumer" };
      return new streamErrors.SLOW_CONSUMER(details);
    }
    if (this.#receivedCount >= chunkCountMax) {
      const reason = "max_frames exceeded";
      return new streamErrors.TOO_MANY_CHUNKS({ address, chunkCountMax, reason });
    }
    if (chunkSizeBytesMax === Number.POSITIVE_INFINITY) return undefined;
    const sizeBytes = new TextEncoder().encode(JSON.stringify(chunk)).byteLength;
    if (sizeBytes <= chunkSizeBytesMax) return undefined;
    const reason = "chunk too large";
    const details = { address, index: this.#receivedCount, sizeBytes, chunkSizeBytesMax, reason };
    return new streamErrors.CHUNK_TOO_LARGE(details);
  }

  #take(): void {
    const limits = this.#limits;
    if (limits === undefined || this.#isSettled) return;
    this.#activeAtMs = this.#system.monotonicMs();
    this.#giveCredit(limits);
  }

  /** In portions of half a buffer: telling the producer of each chunk would cost more than the chunk. */
  #giveCredit({ bufferLengthMax }: StreamLimits): void {
    this.#takenCount += 1;
    if (this.#takenCount * 2 < bufferLengthMax) return;
    const chunkCount = this.#takenCount;
    this.#takenCount = 0;
    this.#send({ kind: "credit", chunkCount });
  }

  #follow(signal: AbortSignal): void {
    const abort = (): void => {
      const cause = { cause: signal.reason as unknown };
      this.cancel(new busErrors.CANCELLED({ address: this.#address }, cause), "it was aborted");
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    this.#release = () => signal.removeEventListener("abort", abort);
  }

  #settle(error: Error | undefined): void {
    this.#isSettled = true;
    this.onVerdict?.(error);
    this.#wheel.disarm(this);
    this.#requests?.delete(this);
    this.#error = error;
    const read = this.#reads.shift();
    if (read !== undefined && error !== undefined) {
      this.#error = undefined;
      read.reject(error);
    } else read?.resolve(done);
    for (const later of this.#reads.toArray()) later.resolve(done);
    this.#reads.clear();
    this.#releaseWhenRead();
  }

  #releaseWhenRead(): void {
    if (this.#chunks.length > 0) return;
    this.#release?.();
    this.#release = undefined;
  }
}

function reasonIn(error: Error): string {
  const reason: unknown = (error as { details?: { reason?: unknown } }).details?.reason;
  return typeof reason === "string" ? reason : error.message;
}
