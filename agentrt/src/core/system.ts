/** A pending timer. Opaque: only the `System` that made it can clear it. */
export type TimerHandle = { readonly timer: unknown };

/**
 * The only way to the world's clock, timers, randomness and ids. The real one is `createRealSystem`; the
 * virtual one of `agentrt/testing` makes a run repeatable from a seed.
 */
export interface System {
  /** Wall clock, milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Monotonic clock in milliseconds, with fractions; only differences mean something. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs` (0 or more). */
  setTimer(delayMs: number, callback: () => void): TimerHandle;
  /** Cancels a timer; one that fired or was cleared is ignored. */
  clearTimer(handle: TimerHandle): void;
  /** Runs `callback` in a later turn of the event loop, so timers and sockets are served in between. */
  yieldTurn(callback: () => void): void;
  /** A number in [0, 1). */
  random(): number;
  /** A new UUIDv7 with dashes (RFC 9562 section 5.7). */
  nextId(): string;
  /** 32 lower-case hexadecimal digits, never all zero (W3C Trace Context). */
  nextTraceId(): string;
  /** 16 lower-case hexadecimal digits, never all zero (W3C Trace Context). */
  nextSpanId(): string;
}
