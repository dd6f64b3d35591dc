import {
  httpGatewayKind,
  type HttpGatewaySettings,
  topologyServerKind,
} from "../../node-kinds/index.ts";
import { isOfKind, type Topology, walkTree } from "../../topology/index.ts";

/** A port that a topology wants to listen on. */
export interface WantedPort {
  /** Name of the node. */
  readonly node: string;
  /** The key of the file that sets it. */
  readonly key: "port" | "port_quic" | "grpc_port";
  readonly protocol: "tcp" | "udp";
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** A node that listens, as far as a look from outside needs it. */
export interface ListenerNode {
  readonly name: string;
  readonly host: string;
  readonly certs: HttpGatewaySettings["certs"];
  readonly ports: readonly WantedPort[];
  /** Whether something that authenticates is in front of all that it serves. */
  readonly isAuthenticated: boolean;
  /** What it serves: `routes to agents`, `the control plane`. */
  readonly serves: string;
}

/**
 * Finds the nodes of a topology that listen: gateways, and topology servers that are not attached to one.
 *
 * @param topology A validated topology.
 * @returns The nodes, in the order of the file.
 */
export function listenerNodes(topology: Topology): ListenerNode[] {
  const found: ListenerNode[] = [];
  for (const node of walkTree(topology.supervision)) {
    if (isOfKind(httpGatewayKind, node)) found.push(gatewayNode(node.name, node.settings));
    else if (isOfKind(topologyServerKind, node) && node.settings.attachTo === undefined) {
      const { host, port, certs, middleware } = node.settings;
      found.push({
        name: node.name,
        host,
        certs,
        ports: [{ node: node.name, key: "port", protocol: "tcp", host, port }],
        isAuthenticated: certs.clientCertMode === "required" || authenticates(middleware),
        serves: "the control plane",
      });
    }
  }
  return found;
}

function gatewayNode(name: string, settings: HttpGatewaySettings): ListenerNode {
  const { host, port, certs, grpc, http3, routes, webSocketRoutes } = settings;
  const { authMiddleware, middleware, topologyAgent, publish } = settings;
  const ports: WantedPort[] = [{ node: name, key: "port", protocol: "tcp", host, port }];
  if (grpc?.port !== undefined)
    ports.push({ node: name, key: "grpc_port", protocol: "tcp", host, port: grpc.port });
  if (http3?.port !== undefined)
    ports.push({ node: name, key: "port_quic", protocol: "udp", host, port: http3.port });
  const all = [...routes, ...webSocketRoutes];
  const isEachGuarded =
    all.length > 0 &&
    [...all, ...(publish === undefined ? [] : [publish])].every((one) =>
      authenticates(one.middleware),
    );
  return {
    name,
    host,
    certs,
    ports,
    isAuthenticated:
      certs.clientCertMode === "required" ||
      authenticates([...authMiddleware, ...middleware]) ||
      (isEachGuarded && topologyAgent === undefined),
    serves: topologyAgent === undefined ? "routes to agents" : "routes and the control plane",
  };
}

/** True where a middleware of this package that authenticates is among them; of others nobody knows. */
function authenticates(paths: readonly string[]): boolean {
  return paths.some((path) => path.startsWith("agentrt.gateway.") && !path.includes(".ratelimit."));
}
