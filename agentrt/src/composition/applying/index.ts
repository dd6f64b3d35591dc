/**
 * Another topology in place of the one that runs.
 *
 *     Topology that runs, Topology to run ─▶ TopologyPlan (only the files) ─▶ LivePlan (with what is under way)
 *                                               │
 *                            classes loaded ────┴─▶ RuntimeDescription: a tree, and the names that changed ─▶ change
 *
 * It must not know how a tree is changed, nor who asks for it.
 */
export { applyErrors } from "./errors.ts";
export type { LiveNode, LivePlan } from "./live-plan.ts";
export type { PlannedPart } from "./planned-parts.ts";
export { tellApplied, tellNotApplied } from "./tell-apply.ts";
export {
  type AppliedTopology,
  type ApplyState,
  TopologyChanges,
  type TransportReading,
  type TopologySource,
} from "./topology-changes.ts";
