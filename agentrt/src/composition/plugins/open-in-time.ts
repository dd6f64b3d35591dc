import type { System } from "../../core/index.ts";
import { stateErrors } from "../../state/index.ts";

/** A state store that is waited for. */
export interface StoreWait {
  /** Why it cannot be opened. */
  readonly reason: string;
  /** How long it has been waited for, milliseconds. */
  readonly waitedMs: number;
}

/** As long as an agent may take to start by default. */
const waitMsMax = 60_000;
const tellIntervalMs = 5_000;
const firstDelayMs = 250;
const delayMsMax = 2_000;

/**
 * Opens a state store that may be away at first: a database that starts together with this program, or a file that
 * another program is about to let go of. What is not over by itself is not waited for, and neither is another runtime
 * that writes the same states.
 *
 * @param open Opens it.
 * @param options The clock, and who hears of a wait: at once, then every five seconds.
 * @returns What it opened.
 * @throws What `open` throws; AGENTRT_STATE_UNAVAILABLE after 60 seconds.
 */
export async function openInTime<Store>(
  open: () => Promise<Store>,
  { system, onWait }: { readonly system: System; readonly onWait: (wait: StoreWait) => void },
): Promise<Store> {
  const beganAtMs = system.monotonicMs();
  let reason: string | undefined;
  const tell = (): void =>
    onWait({
      reason: reason ?? "it does not answer",
      waitedMs: system.monotonicMs() - beganAtMs,
    });
  const tellAgain = (): void => {
    tell();
    timer = system.setTimer(tellIntervalMs, tellAgain);
  };
  let timer = system.setTimer(tellIntervalMs, tellAgain);
  try {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, delayMsMax)) {
      try {
        return await open();
      } catch (error) {
        const endsAtMs = beganAtMs + waitMsMax;
        const isLate = system.monotonicMs() + delayMs > endsAtMs;
        if (!(error instanceof stateErrors.UNAVAILABLE) || isLate) throw error;
        const isFirst = reason === undefined;
        reason = error.message;
        if (isFirst) tell();
      }
      await new Promise<void>((resolve) => void system.setTimer(delayMs, resolve));
    }
  } finally {
    system.clearTimer(timer);
  }
}
