/** How long one batch is tried. */
export const retryForMs = 60_000;
const delayMsAtFirst = 500;
const delayMsMax = 16_000;
/** What a collector answers that is too busy, or whose servers behind it are. */
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** How an attempt failed. */
export interface FailedAttempt {
  /** Undefined where no answer came. */
  readonly status?: number;
  /** Of the header of that name. */
  readonly retryAfter?: string | undefined;
}

/**
 * Says how long to wait before the next attempt: as long as the collector asks, else twice as long each time, with a part
 * by chance so that many programs do not come back at once.
 *
 * @param failed The attempt.
 * @param at How many there were, 1 or more, and a number in [0, 1).
 * @returns Milliseconds; undefined when another attempt would not help.
 */
export function pauseAfter(
  { status, retryAfter }: FailedAttempt,
  { attemptCount, random }: { readonly attemptCount: number; readonly random: number },
): number | undefined {
  if (status !== undefined && !busyStatuses.has(status)) return undefined;
  const asked = Number(retryAfter ?? "");
  if (retryAfter !== undefined && retryAfter !== "" && asked >= 0) return asked * 1000;
  const delayMs = Math.min(delayMsAtFirst * 2 ** (attemptCount - 1), delayMsMax);
  return delayMs * (0.5 + random / 2);
}
