/**
 * The control plane of a supervisor that waits, and the one of the supervisor that leads, which it asks.
 *
 *     request → auth and scopes → standbyRoutes → Standby.ask → … → ControlReads.answer → the same route, where the tree is
 *
 * Only what changes nothing is asked for. It must not know how the question travels, nor who leads why.
 */
export { ControlReads } from "./control-reads.ts";
export { type Standby, standbyRoutes } from "./standby-routes.ts";
