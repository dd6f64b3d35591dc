/**
 * Nodes of a tree, described in a program as in a file: gateways, topology servers, eval agents.
 *
 * Gateways and topology servers ask the runtime they become part of. `runtimeNode` marks such a description;
 * `bindTree`, which a runtime calls, puts the node in its place. The folder must not know topology files.
 */
export { evalAgent, type EvalAgentNodeOptions } from "./eval-agent.ts";
export {
  agentAnswers,
  ControlReads,
  type Standby,
  followWorkers,
  type ApplyPort,
  Observer,
  type ProcessPicture,
  type ProcessUsage,
} from "../control/index.ts";
export { httpGateway, type HttpGatewayNodeOptions } from "./http-gateway.ts";
export {
  bindTree,
  type HiddenNames,
  hiddenNames,
  joinNames,
  noNames,
  type RuntimeParts,
} from "./runtime-node.ts";
export { topologyServer, type TopologyServerNodeOptions } from "./topology-server.ts";
