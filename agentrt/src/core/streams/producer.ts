import { streamErrors } from "../errors.ts";
import { type JsonObject, RingBuffer } from "../values/index.ts";
import {
  CancelSignal,
  type CallerGone,
  type SlotWatcher,
  type StreamSlot,
} from "../messages/index.ts";
import type { StreamControl, StreamFrame } from "./frame.ts";

/** Most chunks of one stream that wait at the producer, because `emit` was called without awaiting it. */
export const waitingChunkCountMax = 1000;

/** The options of the producer's end. */
export interface StreamProducerInit {
  /** Name of the producing agent, for errors. */
  readonly agent: string;
  /** Chunks the consumer has room for at first, 1 or more. */
  readonly creditChunkCount: number;
  /** Takes frames to the consumer's end. */
  readonly send: (frame: StreamFrame) => void;
  /** Who reads the stream. */
  readonly caller: object;
  /** Monotonic time at which the stream ends whatever comes. */
  readonly deadlineMs: number;
}

/** A chunk that waits for room. */
interface WaitingChunk {
  readonly payload: JsonObject;
  readonly accept: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * The producer's end of a stream: the reply slot of a stream request. It numbers the chunks, sends no more of them than
 * the consumer has room for, and knows why the consumer has gone.
 */
export class StreamProducer implements StreamSlot {
  readonly isStream = true;
  isOpen = true;
  /** True once chunks come one by one: such a stream does not outlast a stop of its agent. */
  hasBegun = false;
  readonly caller: object;
  readonly deadlineMs: number;
  callerGone: CallerGone | undefined = undefined;
  readonly cancellation = new CancelSignal();
  watcher: SlotWatcher | undefined = undefined;
  readonly #agent: string;
  readonly #send: (frame: StreamFrame) => void;
  readonly #waiting = new RingBuffer<WaitingChunk>();
  #credit: number;
  #chunkCount = 0;
  #isEnding = false;
  #settleEnd: (() => void) | undefined;
  #closeReason = "it has ended";
  #closedError: Error | undefined;

  constructor(init: StreamProducerInit) {
    this.#agent = init.agent;
    this.#send = init.send;
    this.#credit = init.creditChunkCount;
    this.caller = init.caller;
    this.deadlineMs = init.deadlineMs;
  }

  /** Chunks sent so far. */
  get chunkCount(): number {
    return this.#chunkCount;
  }

  /**
   * Sends a chunk.
   *
   * @param payload Nobody else holds it.
   * @returns Undefined when it went at once, else a promise that settles when there was room.
   * @throws AGENTRT_STREAM_CANCELLED when the stream is over, AGENTRT_STREAM_EMITS_NOT_AWAITED.
   */
  push(payload: JsonObject): Promise<void> | undefined {
    if (!this.isOpen || this.#isEnding) throw this.#closed();
    this.hasBegun = true;
    if (this.#credit > 0 && this.#waiting.length === 0) {
      this.#sendChunk(payload);
      return undefined;
    }
    if (this.#waiting.length >= waitingChunkCountMax) {
      throw new streamErrors.EMITS_NOT_AWAITED({ agent: this.#agent, waitingChunkCountMax });
    }
    return new Promise((accept, refuse) => this.#waiting.push({ payload, accept, refuse }));
  }

  /**
   * Ends the stream behind the chunks that wait for room.
   *
   * @returns Undefined when it has ended, else a promise that settles when it has, whatever the way.
   */
  end(): Promise<void> | undefined {
    if (!this.isOpen) return undefined;
    this.#isEnding = true;
    if (this.#waiting.length === 0) {
      this.isOpen = false;
      this.#send({ kind: "end", seq: this.#chunkCount });
      return undefined;
    }
    return new Promise((resolve) => {
      this.#settleEnd = resolve;
    });
  }

  /** Answers with one chunk more and the end: a reply that is not a stream. */
  resolve(payload: JsonObject): void {
    if (!this.isOpen) return;
    this.push(payload)?.catch(() => undefined);
    void this.end();
  }

  /** Ends the stream with an error behind the chunks already sent; those that wait for room are lost. */
  reject(error: Error): void {
    if (!this.isOpen) return;
    this.#close(error.message, error);
    this.#send({ kind: "error", error });
  }

  /** Takes what the consumer sends back. */
  accept(control: StreamControl): void {
    if (!this.isOpen) return;
    if (control.kind === "cancel") {
      this.callerGone = control.isLate === true ? "expired" : "abandoned";
      this.#close(control.reason);
      return;
    }
    this.#credit += control.chunkCount;
    while (this.#credit > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#sendChunk(next.payload);
      next.accept();
    }
    if (this.#isEnding && this.#waiting.length === 0) {
      void this.end();
      this.#settleEnd?.();
    }
  }

  /**
   * Says whether an error is no more than the news that the stream is over: what `push` threw, what the signal was
   * aborted with, or something that one of the two caused.
   */
  isCausedByEnd(error: unknown): boolean {
    const closed = this.#closedError;
    if (closed === undefined) return false;
    if (error === closed) return true;
    const { cause, name } = (error ?? {}) as { cause?: unknown; name?: unknown };
    return cause === closed || (name === "AbortError" && this.cancellation.reason !== undefined);
  }

  #sendChunk(payload: JsonObject): void {
    const seq = this.#chunkCount;
    this.#chunkCount += 1;
    this.#credit -= 1;
    this.#send({ kind: "chunk", seq, payload });
  }

  #close(reason: string, cause?: Error): void {
    this.isOpen = false;
    this.#closeReason = reason;
    const closed = this.#closed(cause);
    for (const waiting of this.#waiting.toArray()) waiting.refuse(closed);
    this.#waiting.clear();
    this.watcher?.onUnwanted(closed);
    this.cancellation.cancel(closed);
    this.#settleEnd?.();
  }

  #closed(cause?: Error): Error {
    const details = { agent: this.#agent, reason: this.#closeReason };
    this.#closedError ??= new streamErrors.CANCELLED(details, cause && { cause });
    return this.#closedError;
  }
}
