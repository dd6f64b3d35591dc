/**
 * The control plane: what a running tree tells about itself over HTTP, and what operators change.
 *
 * ```
 * RuntimeView (tree, health, snapshot: plain values) → bodies.ts → wire.ts types → routes of a gateway | TopologyAgent
 * POST → write-body.ts → RuntimeControl (suspend, resume, restart, inject), with the authenticated principal
 * ```
 *
 * `controlRoutes` makes routes for any gateway: the one a topology server owns (`topologyServerSpec`: the supervisor
 * `<name>_supervisor` with `<name>` and `<name>_gateway`) or an `http_gateway` it is attached to (`topologyAgentSpec`
 * next to it, and the routes given to the gateway as `ownRoutes`). The routes read the view themselves: health is
 * answered while the topology agent's mailbox is full. `TopologyAgent` gives the same bodies to messages.
 *
 * `wire.ts` holds the types of all bodies; `bodies.ts` is the only place where inner values become wire values. On a
 * loopback address only requests that name this machine are served, so that a web page in a local browser cannot
 * reach them under its name or origin.
 *
 * The folder sees pictures of the tree, never live agents, and knows nothing of sockets or topology files.
 */
export type { Scope, ScopeTable } from "./guard/index.ts";
export type { ApplyPort, PlanBody, PlannedNodeBody } from "./applying/index.ts";
export { ControlReads, type Standby } from "./standby/index.ts";
export { agentAnswers } from "./agent-routes.ts";
export { followWorkers } from "./elsewhere/index.ts";
export { controlRoutes, type ControlRoutesOptions } from "./routes.ts";
export { Observer } from "./observing/index.ts";
export type { ProcessPicture } from "./process-picture.ts";
export type { RuntimeControl, RuntimeView } from "./runtime-view.ts";
export type { ProcessUsage } from "./telemetry-view.ts";
export { topologyAgentSpec } from "./topology-agent.ts";
export {
  topologyServerSpec,
  type TopologyServerOptions,
  type TopologyServerPorts,
} from "./topology-server.ts";
export type {
  AgentBody,
  AgentCountersBody,
  AgentNodeBody,
  HealthBody,
  RestartBody,
  SnapshotBody,
  SupervisorNodeBody,
  TreeNodeBody,
} from "./wire.ts";
export { traceResponse, tracesResponse } from "./traces/index.ts";
