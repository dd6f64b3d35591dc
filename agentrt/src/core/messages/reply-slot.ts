import type { CancelSignal } from "./cancel-signal.ts";
import type { JsonObject } from "../values/index.ts";

/** Why nobody waits for an answer any more: its deadline has passed, or its caller has left. */
export type CallerGone = "expired" | "abandoned";

/** Who works on an answer. */
export interface SlotWatcher {
  /** Called once, when the answer is no longer wanted or can no longer be given. */
  onUnwanted(reason: Error): void;
}

/** What every answer has, of a call or of a stream. */
interface AnyReplySlot {
  /** Who waits: the sender of the request, as the message that it works on or as a whole; or the program outside the tree. */
  readonly caller: object;
  /** Monotonic time at which nobody waits any more; Infinity for never. */
  readonly deadlineMs: number;
  /** Why nobody waits any more; undefined while somebody waits, and when the request was answered in time. */
  readonly callerGone: CallerGone | undefined;
  /** Cancelled when the answer is no longer wanted, or can no longer be given. */
  readonly cancellation: CancelSignal;
  /** Hears of that before the signal does. */
  watcher: SlotWatcher | undefined;
}

/** Where the reply of a call goes. Local calls carry it in the envelope, so no table of open calls is needed. */
export interface CallSlot extends AnyReplySlot {
  readonly isStream: false;
  /** False once the call is answered, failed, timed out or cancelled. */
  readonly isOpen: boolean;
  /** Answers the call; ignored when it is closed. */
  resolve(payload: JsonObject): void;
  /** Fails the call; ignored when it is closed. */
  reject(error: Error): void;
  /** True when it does not wait for a suspended agent. */
  readonly isImpatient: boolean;
  /** The receiver was suspended when the call was made, which nobody knew: fails a call that does not wait for that. */
  onSuspended(): void;
}

/** Where the chunks of a streamed reply go. */
export interface StreamSlot extends AnyReplySlot {
  readonly isStream: true;
  /** False once the stream is over. */
  readonly isOpen: boolean;
  /** True once chunks come one by one: such a stream does not outlast a stop of its agent. */
  hasBegun: boolean;
  /** Chunks sent so far. */
  readonly chunkCount: number;
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
