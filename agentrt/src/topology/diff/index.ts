/**
 * What differs between two topologies: differences by place, with secrets hidden.
 *
 *     Topology, Topology ─ by section ─▶ Difference[] ─▶ text
 *
 * It must not know files.
 */
export { diffTopologies } from "./diff-topologies.ts";
export { countDifferences, diffSections } from "./difference.ts";
export type { DiffSection, Difference, DifferenceCounts } from "./difference.ts";
export { renderDifference } from "./render-difference.ts";
export type { RenderedDifference } from "./render-difference.ts";
