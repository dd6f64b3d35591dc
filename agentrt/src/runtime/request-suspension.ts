import {
  type AgentCell,
  checkApprover,
  checkCategory,
  checkReason,
  type SuspendCategory,
} from "../core/index.ts";

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
 * @param cell The agent.
 * @param options What for, and who asked.
 * @returns Settles when it is in effect.
 * @throws AGENTRT_AGENT_SUSPENSION_INVALID, AGENTRT_AGENT_SUSPENSION_BUSY, AGENTRT_AGENT_STOPPED.
 */
export async function suspendAgent(cell: AgentCell, options: SuspendOptions): Promise<void> {
  const { reason, category = "other", initiatedBy = "runtime" } = options;
  checkReason(cell.name, reason);
  checkCategory(cell.name, category);
  await new Promise<void>((onDone, onGone) => {
    cell.askSuspension({ kind: "suspend", reason, category, initiatedBy, onDone, onGone });
  });
}

/**
 * Lets a suspended agent go on.
 *
 * @param cell The agent.
 * @param approver Who lets it go on, not empty.
 * @returns Settles when it is in effect and `onResume` is done.
 * @throws As `suspendAgent`; what `onResume` throws.
 */
export async function resumeAgent(cell: AgentCell, approver: string): Promise<void> {
  checkApprover(cell.name, approver);
  await new Promise<void>((onDone, onGone) => {
    cell.askSuspension({ kind: "resume", approver, onDone, onGone });
  });
}
