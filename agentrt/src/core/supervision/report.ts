import type { ChildDriver, Kernel, SupervisorSpec } from "../tree/index.ts";
import { supervisionErrors } from "../errors.ts";
import { reasonOf } from "../values/index.ts";

/** A crash of a child, as its supervisor reports it to log and watchers. */
export interface CrashReport {
  readonly child: string;
  readonly error: unknown;
}

/**
 * Reports a crash that leads to a restart.
 *
 * @param kernel Has the log and the watchers.
 * @param spec The supervisor.
 * @param report The child, its error, the crashes in the window, the wait before the restart.
 */
export function reportCrash(
  kernel: Kernel,
  spec: SupervisorSpec,
  report: CrashReport & { readonly crashesInWindow: number; readonly delayMs: number },
): void {
  const { child, error, crashesInWindow, delayMs } = report;
  kernel.emit({
    type: "supervisor.crash",
    supervisor: spec.name,
    child,
    atMs: kernel.system.nowMs(),
    crashesInWindow,
    delayMs,
    error,
  });
  const { strategy, restartCountMax } = spec.limits;
  kernel.log.warn("child will be restarted", {
    supervisor: spec.name,
    child,
    strategy,
    delayMs: Math.round(delayMs),
    crashesInWindow,
    restartsLeft: restartCountMax - crashesInWindow,
  });
}

/**
 * Reports that a child failed because the state store is away, which leads to a restart and costs no budget.
 *
 * @param kernel Has the log and the watchers.
 * @param spec The supervisor.
 * @param report The child, its error, the crashes in the window, the wait before the restart.
 */
export function reportStoreFault(
  kernel: Kernel,
  spec: SupervisorSpec,
  report: CrashReport & { readonly crashesInWindow: number; readonly delayMs: number },
): void {
  const { child, error, crashesInWindow, delayMs } = report;
  const supervisor = spec.name;
  const atMs = kernel.system.nowMs();
  kernel.emit({
    type: "supervisor.crash",
    supervisor,
    child,
    atMs,
    crashesInWindow,
    delayMs,
    error,
  });
  const fields = { supervisor, child, delayMs: Math.round(delayMs), error: reasonOf(error) };
  kernel.log.warn("child will be restarted without a charge: the state store is away", fields);
}

/**
 * Reports that a child ended because somebody asked for its restart, which follows at once and costs no budget.
 *
 * @param kernel Has the watchers. The log has a line of the child already.
 * @param spec The supervisor.
 * @param report The child, the request, the crashes in the window.
 */
export function reportRequested(
  kernel: Kernel,
  spec: SupervisorSpec,
  report: CrashReport & { readonly crashesInWindow: number },
): void {
  kernel.emit({
    type: "supervisor.crash",
    supervisor: spec.name,
    atMs: kernel.system.nowMs(),
    delayMs: 0,
    ...report,
  });
}

/**
 * Reports that a restart begins.
 *
 * @param kernel Has the watchers.
 * @param spec The supervisor.
 * @param report The child that crashed, the crashes in the window, and who starts, in order.
 */
export function reportRestart(
  kernel: Kernel,
  spec: SupervisorSpec,
  report: {
    readonly child: ChildDriver;
    readonly crashesInWindow: number;
    readonly children: readonly string[];
  },
): void {
  const { child, crashesInWindow, children } = report;
  kernel.emit({
    type: "supervisor.restart",
    supervisor: spec.name,
    child: child.name,
    atMs: kernel.system.nowMs(),
    restartCount: child.describe().restartCount + 1,
    crashesInWindow,
    strategy: spec.limits.strategy,
    children,
  });
}

/**
 * Reports a crash that the budget no longer covers.
 *
 * @param kernel Has the log and the watchers.
 * @param spec The supervisor.
 * @param report The child, its error; whether the supervisor fails upward, the child stays down, or it is gone.
 * @returns The error the supervisor fails with.
 */
export function reportExhausted(
  kernel: Kernel,
  spec: SupervisorSpec,
  report: CrashReport & { readonly outcome: "escalated" | "givenUp" | "removed" | "keptAway" },
): Error {
  const { child, error, outcome } = report;
  const { restartCountMax, restartWindowMs } = spec.limits;
  const details = { supervisor: spec.name, child, restartCountMax, restartWindowMs };
  const exhausted = new supervisionErrors.RESTARTS_EXHAUSTED(details, { cause: error });
  const decision = {
    escalated: `"${spec.name}" stops its children and fails upward`,
    givenUp: `"${child}" stays down, its siblings run on`,
    removed: `"${child}" is gone for good, its siblings run on`,
    keptAway: `"${child}" refuses its messages for a time, other keys run on`,
  }[outcome];
  kernel.log.error(exhausted.message, { decision, error });
  kernel.emit({
    type: "supervisor.exhausted",
    supervisor: spec.name,
    child,
    atMs: kernel.system.nowMs(),
    isEscalated: outcome === "escalated",
    error,
  });
  return exhausted;
}
