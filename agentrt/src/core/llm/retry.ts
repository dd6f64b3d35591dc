import { modelErrors } from "./errors.ts";

/** Longest wait that a provider may ask for; a longer one fails the call at once. */
export const retryAfterMsMax = 60_000;
const backoffMsMax = 8000;
const defaultBaseMs = 500;
const defaultRetryCountMax = 3;

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
  readonly retryCountMax: number | undefined;
  readonly retryBaseMs: number | undefined;
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
 *   asked again: another kind of error, no attempts or no time left, or a wait that is longer than a minute.
 */
export function retryDelayMs(error: unknown, state: RetryState): number | undefined {
  if (!retried.some((each) => error instanceof each)) return undefined;
  if (state.attemptCount > (state.retryCountMax ?? defaultRetryCountMax)) return undefined;
  const { retryAfterMs } = (error as { readonly details: { readonly retryAfterMs?: number } })
    .details;
  const backoffMs = Math.min(
    backoffMsMax,
    (state.retryBaseMs ?? defaultBaseMs) * 2 ** (state.attemptCount - 1),
  );
  const delayMs = retryAfterMs ?? Math.round(backoffMs * (1 - 0.25 * state.random()));
  return delayMs > retryAfterMsMax || delayMs >= state.remainingMs ? undefined : delayMs;
}
