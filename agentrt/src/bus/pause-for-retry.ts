import type { OpenRequest, Origin, System } from "../core/index.ts";
import { cancelled } from "./pending-call.ts";

/** For whom a pause is, and what ends it early. */
export interface RetryPause {
  readonly origin: Origin;
  /** Name of the agent that is called again. */
  readonly to: string;
  readonly signal: AbortSignal | null | undefined;
  readonly system: System;
  /** What the last attempt failed with. */
  readonly error: unknown;
  /** What ends each pause of a bus: the caller gets the error of its last attempt. */
  readonly ends: Set<() => void>;
}

/**
 * Lets time pass before a call is made again. It is one of the caller's open requests: it ends at once with the caller, with
 * the message that the call is made for, and with the signal.
 *
 * @param delayMs 0 or more.
 * @param pause Whose call it is.
 * @throws What ended it early.
 */
export function pauseForRetry(delayMs: number, pause: RetryPause): Promise<void> {
  const { origin, to, signal, system, error, ends } = pause;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      system.clearTimer(timer);
      origin.requests?.delete(request);
      ends.delete(giveUp);
      signal?.removeEventListener("abort", onAbort);
    };
    const timer = system.setTimer(delayMs, () => {
      end();
      resolve();
    });
    const giveUp = (): void => {
      end();
      reject(error);
    };
    const onAbort = (): void => {
      if (signal !== null && signal !== undefined) request.cancel(cancelled(to, signal), "");
    };
    const request: OpenRequest = {
      origin,
      isStream: false,
      previousRequest: undefined,
      nextRequest: undefined,
      cancel: (reason) => {
        end();
        reject(reason);
      },
    };
    origin.requests?.add(request);
    ends.add(giveUp);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
