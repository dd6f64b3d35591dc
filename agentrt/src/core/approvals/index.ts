/**
 * Approvals as objects: what agents ask people to approve, who decided, and what the agent gets of it.
 *
 * ```
 * agent ── suspendForApproval ──▶ Approvals ◀── decide ── people
 *   ▲                                │  rows and their list in the state store
 *   └────── onApproval(Approval) ────┘
 * ```
 *
 * The gate itself is the suspension of the agent, in its saved state (`../suspension`). It must not know agents, trees or
 * HTTP: the runtime says how an agent is woken.
 */
export {
  Approval,
  type ApprovalRecord,
  type ApprovalStatus,
  approvalStatuses,
} from "./approval.ts";
export type { ApprovalEvent, ApprovalFaultEvent } from "./approval-event.ts";
export { type ApprovalOptions, readApprovalOptions } from "./approval-options.ts";
export type { ApprovalFilter } from "./approval-books.ts";
export { type ApprovalPlace, Approvals, type LookedApprovals } from "./approvals.ts";
export type { Decision } from "./decision.ts";
export { approvalErrors } from "./errors.ts";
export { approvalIndexKey, placeOfApprovalKey } from "./saved-approval.ts";
