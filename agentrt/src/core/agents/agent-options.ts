import type { JsonObject } from "../values/index.ts";

/** Limits and configuration of one agent. */
export interface AgentOptions {
  /**
   * Most messages that are handled at once, 1 or more. Default 1. Above it they begin in order and end in any order,
   * and share the object and its state; a crash takes all of them.
   */
  readonly concurrency?: number | undefined;
  /** Most messages that wait, 1 or more; senders wait beyond it. Default 1000. */
  readonly mailboxLengthMax?: number | undefined;
  /** Most retries of one message after `onError` said `"retry"`, 0 or more. Default 3. */
  readonly retryCountMax?: number | undefined;
  /** Upper bound on a stop: the message at hand and `onStop`. Default 30_000. */
  readonly shutdownTimeoutMs?: number | undefined;
  /** Upper bound on one `handle`; default none. The time-out goes through `onError`. */
  readonly handleTimeoutMs?: number | undefined;
  /** Upper bound on `onStart`. Default 60_000. */
  readonly startTimeoutMs?: number | undefined;
  /**
   * Upper bound on each of `onError`, `onSuspend`, `onResume`, `onCorrection`, `onDown` and `onChildTerminated`; then
   * the agent crashes. Default 60_000.
   */
  readonly hookTimeoutMs?: number | undefined;
  /** Set by the runtime for the objects of a keyed agent. */
  readonly key?: string | undefined;
  /** What the topology or the spawner configured; default an empty object. */
  readonly config?: JsonObject | undefined;
}
