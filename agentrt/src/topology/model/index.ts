/**
 * What a topology is once it is checked: the frozen model, and what a kind of node tells about itself (`NodeKind`).
 *
 * It must not know YAML or how a file is read.
 */
export { classPathForm, classPathPattern, classPathWanted, joinClassPath } from "./class-path.ts";
export { countTopology } from "./counts.ts";
export type { TopologyCounts } from "./counts.ts";
export { isOfKind, settingsOf } from "./node-kind.ts";
export type {
  NodeDrawing,
  NodeFinding,
  NodeKind,
  NodeKindTable,
  PluginKind,
  TreeView,
  UnservedKey,
} from "./node-kind.ts";
export { processGroups } from "./process-groups.ts";
export { deepFreeze, findUnservedKeys, isSupervisorNode, walkTree } from "./topology.ts";
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
} from "./topology.ts";
