import { agentErrors } from "../errors.ts";

/** What somebody asks of an agent that is to start again. */
export interface RestartRequest {
  /** Who asked, for the log. */
  readonly initiatedBy: string;
  /** True for one that costs budget and waits for the backoff, as a crash. */
  readonly isCharged: boolean;
}

/** Makes what an agent, a pool or a keyed agent ends with when its restart is asked for. */
export function restartRequested(agent: string, request: RestartRequest): Error {
  const { initiatedBy, isCharged } = request;
  const details = { agent, initiatedBy, ...(isCharged ? { isCharged } : {}) };
  return new agentErrors.RESTART_REQUESTED(details);
}

/**
 * Says whether a child ended because somebody asked for its restart, which costs no budget and waits for no backoff.
 *
 * @param error What it ended with.
 */
export function isFreeRestart(error: unknown): boolean {
  return error instanceof agentErrors.RESTART_REQUESTED && !("isCharged" in error.details);
}
