import type { NodeKindTable } from "../topology/index.ts";
import { agentKind } from "./agent.ts";
import { dynamicSupervisorKind } from "./dynamic-supervisor.ts";
import { evalAgentKind } from "./eval-agent.ts";
import { genServerKind } from "./gen-server.ts";
import { httpGatewayKind } from "./http-gateway.ts";
import { keyedKind } from "./keyed.ts";
import type { BuildableKind } from "./kind.ts";
import { poolKind } from "./pool.ts";
import { exporterKinds, modelKinds, stateStoreKinds } from "./plugins/index.ts";
import { topologyServerKind } from "./topology-server.ts";

/** The kinds of nodes of this build, in the order in which messages list them. */
export const buildableKinds: readonly BuildableKind[] = [
  agentKind,
  genServerKind,
  dynamicSupervisorKind,
  keyedKind,
  poolKind,
  evalAgentKind,
  topologyServerKind,
  httpGatewayKind,
];

/** The kinds of nodes of this build, and what it does not serve of the other sections. */
export const nodeKinds: NodeKindTable = {
  kinds: buildableKinds,
  stateStores: stateStoreKinds,
  models: modelKinds,
  exporters: exporterKinds,
  unservedKeys: [{ path: "mcp.servers.*.sandbox", isServed: isEmptyOrNull }],
};

function isEmptyOrNull(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
