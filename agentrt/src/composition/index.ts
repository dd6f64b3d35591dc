/**
 * The one place where concrete things are chosen: what a topology names becomes a running tree.
 *
 *     Topology (validated) → refuse what is not served → load classes → tree description → Runtime
 *                              plugins.state → StateStore, plugins.models → providers ↗
 *
 * `node-kinds*.ts` is the table of node kinds that the parser checks a file against; `build-tree.ts`
 * turns each node into its part of the tree's description. Gateways and topology servers need the runtime they become
 * part of: `gateway-nodes.ts` describes them, in files and in programs alike, and `Runtime` puts them in place.
 *
 * A kind of node is added here: a row with its schema and drawing, and a builder. The folders below know nothing of
 * YAML or of each other's classes. This folder must not know command lines, exit codes or terminals.
 */
export { evalAgent, type EvalAgentNodeOptions } from "../node-specs/eval-agent.ts";
export { compositionErrors } from "./errors.ts";
export {
  httpGateway,
  type HttpGatewayNodeOptions,
  topologyServer,
  type TopologyServerNodeOptions,
} from "../node-specs/http-gateway.ts";
export type { BuiltInModel } from "./plugins/models.ts";
export { type FromTopologyOptions, Runtime, type RuntimeOptions } from "./runtime.ts";
