/**
 * `agentrt`: supervised agents that exchange messages. Write a class that derives from `Agent`, describe a tree with
 * `supervisor` and `child`, run it with `Runtime`.
 */
export {
  Agent,
  agentErrors,
  busErrors,
  child,
  createRealSystem,
  createTextLog,
  GenServer,
  Message,
  supervisionErrors,
  supervisor,
  TableError,
} from "./core/index.ts";
export type {
  AgentClass,
  AgentCounters,
  AgentNode,
  AgentOptions,
  AgentSpec,
  AgentStatus,
  Backoff,
  ChildOptions,
  ChildSpec,
  ErrorAction,
  HandleResult,
  JsonObject,
  JsonValue,
  Log,
  LogFields,
  LogLevel,
  OutgoingPayload,
  Registration,
  RestartStrategy,
  RuntimeEvent,
  SendOptions,
  SendTimer,
  StateStore,
  SupervisorNode,
  SupervisorOptions,
  SupervisorSpec,
  System,
  TreeNode,
} from "./core/index.ts";
export {
  compositionErrors,
  type FromTopologyOptions,
  httpGateway,
  type HttpGatewayNodeOptions,
  Runtime,
  type RuntimeOptions,
  topologyServer,
  type TopologyServerNodeOptions,
} from "./composition/index.ts";
export { pluginErrors } from "./plugins/index.ts";
export type {
  CrashCallback,
  RestartRecord,
  RuntimeHealth,
  RuntimeSnapshot,
  RuntimeStatus,
  StopReport,
} from "./runtime/index.ts";
