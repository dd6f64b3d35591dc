import type { Kernel } from "../core/index.ts";

/** How long the end of a stop waits for stores that do not answer, milliseconds. */
export const closeTimeoutMs = 5000;

/** What is to end. */
export interface Closing {
  /** For the log. */
  readonly what: string;
  readonly closed: Promise<unknown>;
  /** Monotonic time. */
  readonly untilMs: number;
}

/**
 * Waits for the end of something that needs a store, until a time. What has not ended by then is left as if the process had been
 * killed, with a line in the log.
 *
 * @throws What it fails with before.
 */
export async function closeInTime(
  { system, log }: Pick<Kernel, "system" | "log">,
  { what, closed, untilMs }: Closing,
): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const leftMs = Math.max(0, untilMs - system.monotonicMs());
  const timer = system.setTimer(leftMs, () => resolve("late"));
  try {
    if ((await Promise.race([closed, late])) !== "late") return;
    closed.catch(() => undefined);
    log.warn("a stop goes on without what waits for a store that does not answer", { what });
  } finally {
    system.clearTimer(timer);
  }
}
