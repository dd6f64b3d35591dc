/**
 * From nodes with positions to a checked topology.
 *
 *     text ─ source/ ─▶ nodes ─ sections, tree, kinds ─▶ Topology, or problems with places
 *
 * It must not know files, terminals or what a node becomes when it runs.
 */
export { parseParts, parseTopology } from "./parse-topology.ts";
export type { ParseTopologyOptions, ParsedTopology } from "./parse-topology.ts";
