/**
 * The text of a topology: YAML to nodes with positions, and the problems found in it.
 *
 * It must not know what a key means.
 */
export { fileSizeBytesMax, readDocument, type SourcePart } from "./document.ts";
export { mergeParts } from "./merge-parts.ts";
export { type Environment, Variables } from "./substitution.ts";
export {
  formatProblem,
  lineFrom,
  placeInFile,
  ProblemLog,
  sortProblems,
  topologyChecks,
} from "./problem.ts";
export type { CheckGroup, SourcePosition, TopologyCheck, TopologyProblem } from "./problem.ts";
export { describeFound, formatPath, locate, toPlain } from "./source-node.ts";
export type { SourceEntry, SourceMap, SourceNode, SourcePath } from "./source-node.ts";
