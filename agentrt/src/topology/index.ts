/**
 * The topology: text → document with positions → validated, frozen model → checklist and drawing.
 *
 * In: YAML text and a table of node kinds. Out: a `Topology`, or problems that each carry file, line, column, document
 * path, what was found and what was wanted. Reading goes in these steps:
 *
 *     source/document.ts       text → values with positions; bounds size, nesting, aliases and keys before anything else
 *     source/substitution.ts   `${NAME}` → a value, where the caller gives an environment
 *     source/merge-parts.ts    several files → one, each laid over those before
 *     reading/supervisor.ts    values → nodes, form by form; each kind's settings are checked by the kind's schema
 *     reading/tree-checks.ts   names that occur twice, references between nodes
 *     model/topology.ts        the result: plain frozen data without prototypes that the file could reach
 *
 * `schema/` describes the fields, for the reader and for editors; `printing/` draws a model; `diff/` compares two models
 * by what they mean, and gives a list of typed differences.
 *
 * Bad input never throws; only a missing or unreadable file does. A key that is known but that this build does not
 * serve is valid, and `findUnservedKeys` lists it, so that a runtime can refuse to start and name it.
 *
 * The folder must not know how a node runs, what any kind but the supervisor is (the table tells it), what user code
 * holds (it never loads any), or who reads its output. It knows only the
 * environment that it is given, puts no value of it into a message, and reads no clock.
 */
export type {
  BackoffPolicy,
  KindNode,
  PluginEntry,
  PluginSettings,
  ResilienceSettings,
  TargetSettings,
  RestartStrategy,
  SupervisorNode,
  ToolServerSettings,
  Topology,
  TopologyNode,
  TransportSettings,
  UnservedUse,
} from "./model/index.ts";
export { findUnservedKeys, isSupervisorNode, processGroups, walkTree } from "./model/index.ts";
export type {
  NodeDrawing,
  NodeFinding,
  NodeKind,
  NodeKindTable,
  PluginKind,
  TreeView,
  UnservedKey,
} from "./model/index.ts";
export { isOfKind, settingsOf } from "./model/index.ts";
export {
  type ParsedTopology,
  parseParts,
  parseTopology,
  type ParseTopologyOptions,
} from "./reading/index.ts";
export {
  type CheckGroup,
  formatProblem,
  placeInFile,
  type SourcePart,
  type SourcePosition,
  type TopologyCheck,
  topologyChecks,
  type TopologyProblem,
} from "./source/index.ts";
export {
  loadTopologyFile,
  parseTopologyFile,
  readTopologyText,
  requireTopology,
  salvageTopologyFile,
  type TopologyPaths,
} from "./read-topology-file.ts";
export { countTopology, type TopologyCounts } from "./model/index.ts";
export { printTopology } from "./printing/index.ts";
export { renderFooter, renderTopology } from "./printing/index.ts";
export { diffTopologies } from "./diff/index.ts";
export {
  countDifferences,
  type Difference,
  type DifferenceCounts,
  type DiffSection,
  diffSections,
} from "./diff/index.ts";
export { renderDifference, type RenderedDifference } from "./diff/index.ts";
export { topologyErrors } from "./errors.ts";
export {
  budgetField,
  budgetKeysAt,
  budgetText,
  fields,
  type KeyDescriptions,
  topologyJsonSchema,
  topologyKeyDescriptions,
  wrappedStoreSchema,
} from "./schema/index.ts";
