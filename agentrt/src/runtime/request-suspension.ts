import {
  agentErrors,
  approvalErrors,
  type Approvals,
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

/** How an agent is resumed. */
export interface ResumeOptions {
  /** Who lets it go on, not empty. */
  readonly approver: string;
  /** Id of the approval that it waits for: that is approved by it. Default none. */
  readonly approval?: string | undefined;
  /** Called once that is saved, before the agent gets it. */
  readonly onDecided?: (() => void) | undefined;
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
 * Lets a suspended agent go on. What it waits for is approved only where it is named.
 *
 * @param actor The agent.
 * @param options Who lets it go on, not empty; and the id of the approval.
 * @param approvals Those of the runtime.
 * @returns Settles when it is in effect and `onResume` is done.
 * @throws As `suspendAgent`; what `onResume` throws; AGENTRT_AGENT_APPROVAL_PENDING; as `Approvals.decide`.
 */
export async function resumeAgent(
  actor: Suspendable,
  { approver, approval: id, onDecided }: ResumeOptions,
  approvals: Approvals,
): Promise<void> {
  checkApprover(actor.name, approver);
  const isNamed = (each: string): boolean => each === id;
  const others = approvals.pendingOf(actor.name).filter((each) => !isNamed(each));
  if (id !== undefined && approvals.get(id).agent !== actor.name)
    throw new approvalErrors.UNKNOWN({ id });
  if (others.length > 0) throw new agentErrors.APPROVAL_PENDING({ agent: actor.name, ids: others });
  if (id !== undefined) await approvals.decide(id, { kind: "approve", principal: approver });
  onDecided?.();
  await new Promise<void>((onDone, onGone) => {
    actor.askSuspension({ kind: "resume", approver, onDone, onGone });
  });
}
