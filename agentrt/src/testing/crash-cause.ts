import { agentErrors, TableError } from "../core/index.ts";
import { InjectedFault } from "./fault-plan.ts";

const depthMax = 10;

/** @returns Whether the simulation made this crash: by a fault, or by a restart that it asked for. */
export function isInjected(error: unknown): boolean {
  // What one agent's crash does to another that called it is the simulation's doing, too.
  return causesOf(error).some(
    (cause) => cause instanceof InjectedFault || cause instanceof agentErrors.RESTART_REQUESTED,
  );
}

/**
 * Says whether an error may be what a fault or a delay has brought: somebody is down, late or full, and another attempt
 * may succeed. An error of the code itself, such as a TypeError or a call that is wrong, is none.
 */
export function isConsequence(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => cause instanceof TableError && (cause.isRetryable || cause.httpStatus >= 503),
  );
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < depthMax;) {
    causes.push(cause);
    cause = cause.cause;
  }
  return causes;
}
