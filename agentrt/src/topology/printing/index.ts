/**
 * A topology as text: a drawing for people, JSON for programs.
 *
 * It must not know terminals: colours come from outside.
 */
export { printSupervisorFields, printTopology } from "./print-topology.ts";
export { renderFooter, renderTopology } from "./render-topology.ts";
