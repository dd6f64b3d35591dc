import type { CallOutcome, CircuitBreaker } from "./circuit-breaker.ts";
import { throughCircuit } from "./through-circuit.ts";

/** An attempt that failed. */
export interface FailedAttempt {
  readonly error: unknown;
  /** Attempts that were made, this one included; 1 or more. */
  readonly attemptCount: number;
}

/** What goes with the attempts of one call. */
export interface Attempts {
  /** Each attempt goes through it; undefined for none. */
  readonly breaker: CircuitBreaker | undefined;
  /** What a failure says about who was asked. */
  readonly outcomeOf: (error: unknown) => CallOutcome;
  /** How long to wait before the next attempt, milliseconds; undefined when that one was the last. */
  readonly delayMsAfter: (failed: FailedAttempt) => number | undefined;
  /** Says that there is another attempt, and waits; rejects with what ended the call meanwhile. */
  readonly pause: (delayMs: number, failed: FailedAttempt) => Promise<void>;
}

/**
 * Makes attempts until one succeeds or fails for good.
 *
 * @param attempt Makes one.
 * @param attempts When there is another, and what it goes through.
 * @returns What the first attempt gave that succeeded.
 * @throws What the last attempt threw; AGENTRT_CIRCUIT_OPEN; what ended a wait.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { breaker, outcomeOf, delayMsAfter, pause }: Attempts,
): Promise<Result> {
  for (let attemptCount = 1; ; attemptCount += 1) {
    try {
      return await throughCircuit(breaker, attempt, outcomeOf);
    } catch (error) {
      const failed: FailedAttempt = { error, attemptCount };
      const delayMs = delayMsAfter(failed);
      if (delayMs === undefined) throw error;
      await pause(delayMs, failed);
    }
  }
}
