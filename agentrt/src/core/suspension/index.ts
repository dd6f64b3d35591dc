/**
 * The pause of an agent until somebody approves: what is asked, the marker that is saved with the state, and the order of
 * steps on entering and leaving.
 *
 * It must not know agents or checkpoints: it says itself what it needs of them (`SuspensionTarget`).
 */
export { haltAgent, tellHalted } from "./halt.ts";
export { serveSuspension, type SuspensionApprovals } from "./serve-suspension.ts";
export {
  AgentSuspension,
  checkApprover,
  checkCategory,
  checkReason,
  describeMarker,
  splitMarker,
  suspendCategories,
  suspensionKey,
  suspensionRequestCountMax,
  withMarker,
  withoutApproval,
} from "./suspension.ts";
export type {
  DrainRequest,
  SuspendCategory,
  SuspensionEvent,
  SuspensionMarker,
  SuspensionNode,
  SuspensionRequest,
} from "./suspension.ts";
