/**
 * What may be in a topology file, as a table: kinds of nodes, built-in plugins, and the keys that this build does not
 * serve.
 *
 * A kind of node is one file: its name, the schema of its settings, its checks, what its keys are for, and `build`,
 * which makes the description that a runtime is built from. To add a kind, write such a file and name it in `node-kind-table.ts`, and the
 * parser, the JSON Schema, `run` and `sim` know it. Settings are typed by the schema, from the file to `build`.
 *
 * The table is light, since every command that reads a topology loads it: what a gateway is made of is loaded by
 * `build`, not here. The folder must not know runtimes or command lines.
 */
export { agentKind } from "./agent.ts";
export { dynamicSupervisorKind } from "./dynamic-supervisor.ts";
export { compositionErrors } from "./errors.ts";
export { evalAgentKind } from "./eval-agent.ts";
export { httpGatewayKind, type HttpGatewaySettings } from "./http-gateway.ts";
export type { BuildableKind } from "./kind.ts";
export { namedVariables, secretVariables } from "./named-variables.ts";
export { buildableKinds, nodeKinds } from "./node-kind-table.ts";
export {
  anthropicKinds,
  consoleExporterKind,
  otlpExporterKind,
  sqliteExporterKind,
  encryptedStateKind,
  exporterKinds,
  modelKinds,
  openAiKinds,
  natsKvStateKind,
  postgresStateKind,
  sqliteStateKind,
  stateStoreKinds,
} from "./plugins/index.ts";
export { topologyServerKind } from "./topology-server.ts";
export {
  type CodeFault,
  type CodeSource,
  loadAt,
  type LoadClass,
  TreeLoader,
  withoutPlace,
} from "./tree-loader.ts";
