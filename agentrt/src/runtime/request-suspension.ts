import {
  checkApprover,
  checkCategory,
  checkReason,
  type SuspendCategory,
  type SuspensionRequest,
} from "../core/index.ts";

/** What can be suspended: an agent, a whole pool, or a whole keyed agent. */
interface Suspendable {
  readonly name: string;
  /** Takes a request, which is served at the next message boundary. */
  askSuspension(request: SuspensionRequest): void;
}

/** How an agent is suspended. */
export interface SuspendOptions {
  /** What for, not empty. */
  readonly reason: string;
  /** Default `"other"`. */
  readonly category?: SuspendCategory | undefined;
  /** Who asked, for log and audit; default `"runtime"`. */
  readonly initiatedBy?: string | undefined;
}

/**
 * Suspends an agent at its next message boundary.
 *
 * @param actor The agent.
 * @param options What for, and who asked.
 * @returns Settles when it is in effect.
 * @throws AGENTRT_AGENT_SUSPENSION_INVALID, AGENTRT_AGENT_SUSPENSION_BUSY, AGENTRT_AGENT_STOPPED.
 */
export async function suspendAgent(actor: Suspendable, options: SuspendOptions): Promise<void> {
  const { reason, category = "other", initiatedBy = "runtime" } = options;
  checkReason(actor.name, reason);
  checkCategory(actor.name, category);
  await new Promise<void>((onDone, onGone) => {
    actor.askSuspension({ kind: "suspend", reason, category, initiatedBy, onDone, onGone });
  });
}

/**
 * Lets a suspended agent go on.
 *
 * @param actor The agent.
 * @param approver Who lets it go on, not empty.
 * @returns Settles when it is in effect and `onResume` is done.
 * @throws As `suspendAgent`; what `onResume` throws.
 */
export async function resumeAgent(actor: Suspendable, approver: string): Promise<void> {
  checkApprover(actor.name, approver);
  await new Promise<void>((onDone, onGone) => {
    actor.askSuspension({ kind: "resume", approver, onDone, onGone });
  });
}
