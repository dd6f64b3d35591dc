import type { Kernel, SupervisorSpec } from "../tree/index.ts";
import { isFreeRestart } from "../incarnations/index.ts";
import { reportCrash, reportRequested, reportStoreFault } from "./report.ts";
import { backoffDelayMs, type RestartWindow, storeDelayMs } from "./restart-window.ts";
import type { Slot } from "./supervisor-job.ts";

/** A crash of a child, or a start of it that failed. */
export interface ChildCrash {
  readonly slot: Pick<Slot, "driver" | "storeFaultCount">;
  readonly error: unknown;
  /** The crashes that count together with it. */
  readonly window: RestartWindow;
  /** Says whether it costs no budget; default it does. Not asked where the state store is away. */
  readonly isExempt?: () => boolean;
}

/**
 * Decides about a crash, and reports the restart that follows. One that comes from a state store that is away costs no
 * budget: no restart brings the store back. Nor does one that somebody asked for, which begins at once.
 *
 * @param kernel Has the clock, chance, the log and the watchers.
 * @param spec The supervisor: its budget and its backoff.
 * @param crash The child, its error, and what it is charged to.
 * @returns How long the restart waits, in milliseconds; undefined when the budget does not cover it.
 */
export function planRestart(
  kernel: Kernel,
  spec: SupervisorSpec,
  { slot, error, window, isExempt }: ChildCrash,
): number | undefined {
  const { limits } = spec;
  const { system } = kernel;
  const child = slot.driver.name;
  const nowMs = system.monotonicMs();
  if (kernel.storeFaults.includes(error)) {
    slot.storeFaultCount = (slot.storeFaultCount ?? 0) + 1;
    const delayMs = storeDelayMs(limits, slot.storeFaultCount, system.random());
    const crashesInWindow = window.count(nowMs);
    reportStoreFault(kernel, spec, { child, error, crashesInWindow, delayMs });
    return delayMs;
  }
  if (isFreeRestart(error)) {
    reportRequested(kernel, spec, { child, error, crashesInWindow: window.count(nowMs) });
    return 0;
  }
  const isFree = isExempt?.() === true;
  const crashesInWindow = isFree ? window.count(nowMs) : window.record(nowMs);
  if (!isFree && crashesInWindow > limits.restartCountMax) return undefined;
  const delayMs = backoffDelayMs(limits, Math.max(1, crashesInWindow), system.random());
  reportCrash(kernel, spec, { child, error, crashesInWindow, delayMs });
  return delayMs;
}
