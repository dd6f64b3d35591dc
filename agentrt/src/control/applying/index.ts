/**
 * Another topology in place of the one that runs: `POST /plan`, `POST /apply`, `GET /apply`.
 *
 * It must not know how topologies are read, nor how a tree is changed: `ApplyPort` does both.
 */
export type { ApplyPort } from "./apply-port.ts";
export { applyRoutes } from "./apply-routes.ts";
export type { ApplyBody, PlanBody, PlannedNodeBody } from "./wire-plan.ts";
