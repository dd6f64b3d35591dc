/**
 * The commands about what agents asked people to approve: they ask the control plane of a running topology, and read
 * nothing else.
 *
 * They must not know the state store: what waits is decided where it runs.
 */
export { approvalsApproveCommand } from "./approve.ts";
export { approvalsDenyCommand } from "./deny.ts";
export { approvalsListCommand } from "./list.ts";
export { approvalsShowCommand } from "./show.ts";
