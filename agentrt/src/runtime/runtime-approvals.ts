import type { ApprovalFilter, ApprovalRecord, Approvals, JsonObject } from "../core/index.ts";

/** Who decides, and what they say about it. */
export interface DecisionOptions {
  /** Not empty; the program has to know that it is true. */
  readonly principal: string;
  /** Up to 4096 characters; default none. */
  readonly note?: string | undefined;
}

/** What is approved. */
export interface ApproveOptions extends DecisionOptions {
  /** What is approved in place of the payload; it has to fit the schema of the approval. Default the payload as it is. */
  readonly payload?: JsonObject | undefined;
}

/** What agents of a runtime asked people to approve. */
export interface RuntimeApprovals {
  /**
   * Lists approvals, oldest first: all that wait, and the latest 1000 that their agents have got.
   *
   * @param filter Default all, 100 of them.
   */
  list(filter?: ApprovalFilter): ApprovalRecord[];
  /** False where some are missing in the list: they cannot be read, or are not read yet. */
  readonly isWhole: boolean;
  /**
   * Finds an approval.
   *
   * @throws AGENTRT_APPROVAL_UNKNOWN.
   */
  get(id: string): ApprovalRecord;
  /**
   * Approves it: that one, once. Its agent goes on, and gets the decision in `onApproval`.
   *
   * @returns It, once the decision is saved; the agent may get it later.
   * @throws AGENTRT_APPROVAL_UNKNOWN; AGENTRT_APPROVAL_DECIDED when somebody was first, or it is over its time;
   *   AGENTRT_APPROVAL_PAYLOAD_INVALID, AGENTRT_APPROVAL_DECISION_INVALID; AGENTRT_APPROVAL_NOT_READY when its agent is at
   *   work and does not pause within five seconds; AGENTRT_SUPERVISION_NOT_STARTED before `start` and after `stop`; what
   *   the store throws, and then nothing is decided.
   */
  approve(id: string, options: ApproveOptions): Promise<ApprovalRecord>;
  /**
   * Denies it: that one, once. Returns and throws as `approve`.
   */
  deny(id: string, options: DecisionOptions): Promise<ApprovalRecord>;
}

/** Where agents that may have asked for something are found. */
interface Askers {
  actorOf(
    name: string,
    action: "resume",
  ): { askSuspension(request: ReturnType<Approvals["requestOf"]>): void };
}

/**
 * Makes what a program may do with approvals, and lets them wake the agents that asked.
 *
 * @param approvals Of the kernel.
 * @param askers Where these are; throws before the start and after the stop.
 */
export function runtimeApprovals(approvals: Approvals, askers: () => Askers): RuntimeApprovals {
  approvals.wake = (agent) => wakeForApprovals(approvals, agent, askers);
  return {
    get isWhole() {
      return approvals.isWhole;
    },
    list: (filter = {}) => approvals.list(filter),
    get: (id) => approvals.get(id),
    approve: async (id, options) => {
      askers();
      return await approvals.decide(id, { kind: "approve", ...options });
    },
    deny: async (id, { principal, note }) => {
      askers();
      return await approvals.decide(id, { kind: "deny", principal, note });
    },
  };
}

/**
 * Has an agent look at what it asked for: it pauses for it, or gets the decision.
 *
 * @param approvals Of the kernel.
 * @param agent Its name.
 * @param askers Finds it, and throws when nobody has the name.
 * @returns False when nobody has the name.
 */
function wakeForApprovals(approvals: Approvals, agent: string, askers: () => Askers): boolean {
  let asked: ReturnType<Askers["actorOf"]>;
  try {
    asked = askers().actorOf(agent, "resume");
  } catch {
    return false;
  }
  for (const { id, isPending, isGated } of approvals.openOf(agent))
    if (!isPending || !isGated) asked.askSuspension(approvals.requestOf(id));
  return true;
}
