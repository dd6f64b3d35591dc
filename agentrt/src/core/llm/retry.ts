import { retryPauseMs, type RetryPolicy, retryDefaults } from "../resilience/index.ts";
import { modelErrors } from "./errors.ts";

/** Longest wait that a provider may ask for; a longer one fails the call at once. */
export const retryAfterMsMax = 60_000;

const retried = [
  modelErrors.RATE_LIMITED,
  modelErrors.OVERLOADED,
  modelErrors.SERVER_FAILED,
  modelErrors.UNREACHABLE,
] as const;

/** What decides about a retry, in addition to the error. */
export interface RetryState {
  /** Attempts that were made, 1 or more. */
  readonly attemptCount: number;
  readonly policy: RetryPolicy;
  /** Longest wait that a provider may ask for, at most `retryAfterMsMax`. */
  readonly waitMsMax: number;
  /** Until the deadline of the whole call. */
  readonly remainingMs: number;
  readonly random: () => number;
}

/**
 * Says how long to wait before a model is asked again.
 *
 * @param error What the attempt failed with.
 * @param state How far the call is.
 * @returns Milliseconds: what the provider asked for, else a doubling wait with jitter. Undefined when it must not be
 *   asked again: another kind of error, no attempts or no time left, or a wait that is longer than it may be.
 */
export function retryDelayMs(error: unknown, state: RetryState): number | undefined {
  if (!retried.some((each) => error instanceof each)) return undefined;
  const { retryCountMax = retryDefaults.retryCountMax } = state.policy;
  if (state.attemptCount > retryCountMax) return undefined;
  const { retryAfterMs } = (error as { readonly details: { readonly retryAfterMs?: number } })
    .details;
  const delayMs = retryAfterMs ?? retryPauseMs(state.policy, state);
  if (retryAfterMs !== undefined && retryAfterMs > state.waitMsMax) return undefined;
  return delayMs >= state.remainingMs ? undefined : delayMs;
}
