import { retryDefaults, type RetryPolicy } from "./policies.ts";

/**
 * Says how long to wait before an attempt is made again: a wait that doubles, less a random quarter, so that callers who
 * failed together do not come back together.
 *
 * @param policy First and longest wait.
 * @param at.attemptCount Attempts that were made, 1 or more.
 * @param at.random From 0 to below 1.
 * @returns Milliseconds.
 */
export function retryPauseMs(
  policy: Pick<RetryPolicy, "backoffBaseMs" | "backoffMaxMs">,
  at: { readonly attemptCount: number; readonly random: () => number },
): number {
  const { backoffBaseMs = retryDefaults.backoffBaseMs, backoffMaxMs = retryDefaults.backoffMaxMs } =
    policy;
  const delayMs = Math.min(backoffMaxMs, backoffBaseMs * 2 ** (at.attemptCount - 1));
  return Math.round(delayMs * (1 - 0.25 * at.random()));
}
