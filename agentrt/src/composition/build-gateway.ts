import {
  controlRoutes,
  topologyAgentSpec,
  topologyServerSpec,
  type TopologyServerPorts,
} from "../control/index.ts";
import type { AgentSpec, ChildSpec } from "../core/index.ts";
import { httpGatewaySpec } from "../gateway/index.ts";
import { settingsOf, type Topology, walkTree, isSupervisorNode } from "../topology/index.ts";
import {
  type HttpGatewaySettings,
  topologyServerKind,
  type TopologyServerSettings,
} from "./node-kinds-gateway.ts";

/** What gateways and topology servers need of the runtime they are part of. */
export type GatewayParts = TopologyServerPorts;

/**
 * Describes an `http_gateway` node; one that names a topology server serves that server's routes first.
 *
 * @param name The node's name.
 * @param settings Its settings.
 * @param context The whole topology, and the runtime's view of itself.
 */
export function buildHttpGateway(
  name: string,
  settings: HttpGatewaySettings,
  context: { readonly topology: Topology; readonly parts: GatewayParts },
): AgentSpec {
  const { host, port, requestTimeoutMs, topologyAgent } = settings;
  const { topology, parts } = context;
  // This version starts with call and cast routes alone: any other mode was refused before.
  const routes = settings.routes.flatMap(({ mode, ...route }) =>
    mode === "stream" ? [] : [{ ...route, mode }],
  );
  const ownRoutes =
    topologyAgent === undefined
      ? []
      : controlRoutes({
          name: topologyAgent,
          view: parts.view,
          prefix: settings.topologyPrefix || prefixOf(topology, topologyAgent),
          boundHost: host,
        });
  return httpGatewaySpec(name, { host, port, requestTimeoutMs, routes, ownRoutes }, parts);
}

/** The prefix that the topology server itself was given. */
function prefixOf(topology: Topology, name: string): string {
  for (const node of walkTree(topology.supervision)) {
    if (!isSupervisorNode(node) && node.name === name)
      return settingsOf(topologyServerKind, node).prefix;
  }
  return "";
}

/**
 * Describes a `topology_server` node: with a gateway of its own, or as the agent alone when it is attached to one.
 *
 * @param name The node's name.
 * @param settings Its settings.
 * @param parts The runtime's view of itself.
 */
export function buildTopologyServer(
  name: string,
  settings: TopologyServerSettings,
  parts: GatewayParts,
): ChildSpec {
  if (settings.attachTo !== undefined) return topologyAgentSpec(name, parts.view);
  const { host, port, prefix } = settings;
  return topologyServerSpec(name, { host, port, prefix }, parts);
}
