import type { JsonObject } from "../values/index.ts";

/** Where the reply of a call goes. Local calls carry it in the envelope, so no table of open calls is needed. */
export interface CallSlot {
  readonly isStream: false;
  /** False once the call is answered, failed, timed out or cancelled. */
  readonly isOpen: boolean;
  /** Answers the call; ignored when it is closed. */
  resolve(payload: JsonObject): void;
  /** Fails the call; ignored when it is closed. */
  reject(error: Error): void;
}

/** Where the chunks of a streamed reply go. */
export interface StreamSlot {
  readonly isStream: true;
  /** False once the stream is over. */
  readonly isOpen: boolean;
  /** True once chunks come one by one: such a stream does not outlast a stop of its agent. */
  hasBegun: boolean;
  /** Chunks sent so far. */
  readonly chunkCount: number;
  /** Aborted when the stream is over before its end. */
  readonly signal: AbortSignal;
  /**
   * Sends a chunk.
   *
   * @param payload Nobody else holds it.
   * @returns Undefined when it went at once, else a promise that settles when there was room.
   * @throws AGENTRT_STREAM_CANCELLED when the stream is over, AGENTRT_STREAM_EMITS_NOT_AWAITED.
   */
  push(payload: JsonObject): Promise<void> | undefined;
  /**
   * Ends the stream behind the chunks that wait for room.
   *
   * @returns Undefined when it has ended, else a promise that settles when it has.
   */
  end(): Promise<void> | undefined;
  /** Answers with one more chunk and the end: a reply that is not a stream. */
  resolve(payload: JsonObject): void;
  /** Ends the stream with an error behind the chunks already sent. */
  reject(error: Error): void;
  /** Says whether an error only reports that the stream is over. */
  isCausedByEnd(error: unknown): boolean;
}

/** Where a reply goes. */
export type ReplySlot = CallSlot | StreamSlot;
