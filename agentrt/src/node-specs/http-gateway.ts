import {
  controlRoutes,
  topologyAgentSpec,
  topologyServerSpec,
  type TopologyServerOptions,
} from "../control/index.ts";
import {
  agentLimits,
  type AgentSpec,
  type ChildSpec,
  type SupervisorSpec,
  supervisor,
} from "../core/index.ts";
import { httpGatewaySpec, type HttpGatewayOptions, type MiddlewareRef } from "../gateway/index.ts";
import { runtimeNode } from "./runtime-node.ts";

/** What `httpGateway` takes. */
export interface HttpGatewayNodeOptions extends Omit<
  HttpGatewayOptions,
  "ownRoutes" | "ownMiddleware" | "hasDefaultRoutes"
> {
  /** Name of a `topologyServer` with `attachTo`, whose routes this gateway serves before its own. */
  readonly topologyAgent?: string | undefined;
  /** Stands before the topology server's paths; by default the server's own `prefix`. */
  readonly topologyPrefix?: string | undefined;
  /** In front of the topology server's routes but `/health`, inside `middleware`. Default none. */
  readonly topologyMiddleware?: readonly MiddlewareRef[] | undefined;
}

/** What `topologyServer` takes. */
export interface TopologyServerNodeOptions extends TopologyServerOptions {
  /** Name of an `httpGateway` whose `topologyAgent` names this server; then there is no gateway of its own. */
  readonly attachTo?: string | undefined;
}

/** Where an attached topology server's options are found again by the gateway that serves it. */
const attachedOptions = Symbol("attachedOptions");

interface AttachedServer extends AgentSpec {
  readonly [attachedOptions]: TopologyServerOptions;
}

/**
 * Describes an HTTP gateway in a tree. Without `routes` it serves the default routes of every agent.
 *
 * @param name Unique in the tree.
 * @param options Where to listen and what to serve; default `0.0.0.0:8080`.
 * @returns The node, for `supervisor({ children })`.
 */
export function httpGateway(name: string, options: HttpGatewayNodeOptions = {}): AgentSpec {
  const { topologyAgent, topologyPrefix, topologyMiddleware, ...gateway } = options;
  return runtimeNode(placeholder(name), ({ parts, root }) => {
    if (topologyAgent === undefined) return httpGatewaySpec(name, gateway, parts);
    const server = attachedServer(root, topologyAgent);
    const prefix = topologyPrefix ?? server?.prefix ?? "";
    const boundHost = gateway.host ?? "0.0.0.0";
    const ownRoutes = controlRoutes({ name: topologyAgent, view: parts.view, prefix, boundHost });
    const ownMiddleware = [...(topologyMiddleware ?? []), ...(server?.middleware ?? [])];
    return httpGatewaySpec(name, { ...gateway, ownRoutes, ownMiddleware }, parts);
  });
}

/**
 * Describes a topology server in a tree: the supervisor `<name>_supervisor` with the agents `<name>` and
 * `<name>_gateway`; with `attachTo` the agent alone.
 *
 * @param name Unique in the tree, as are the names made from it.
 * @param options Where to listen, or what to attach to; default `127.0.0.1:6789`.
 * @returns The node, for `supervisor({ children })`.
 */
export function topologyServer(name: string, options: TopologyServerNodeOptions = {}): ChildSpec {
  const { attachTo, ...server } = options;
  if (attachTo !== undefined) {
    const attached: AttachedServer = { ...placeholder(name), [attachedOptions]: server };
    return runtimeNode(attached, ({ parts }) => topologyAgentSpec(name, parts.view));
  }
  return runtimeNode(supervisor(`${name}_supervisor`, { children: [] }), ({ parts }) =>
    topologyServerSpec(name, server, parts),
  );
}

/** What an attached topology server was described with; nothing where there is no such server. */
function attachedServer(node: SupervisorSpec, name: string): TopologyServerOptions | undefined {
  for (const child of node.children) {
    if (child.kind === "supervisor") {
      const found = attachedServer(child, name);
      if (found !== undefined) return found;
    } else if (child.name === name && attachedOptions in child) {
      return (child as AttachedServer)[attachedOptions];
    }
  }
  return undefined;
}

function placeholder(name: string): AgentSpec {
  return {
    kind: "agent",
    name,
    create: () => {
      throw new TypeError(`"${name}" can be built by Runtime of "agentrt" alone`);
    },
    limits: agentLimits(name, {}),
    capabilities: [],
    capabilityMetadata: {},
    processName: undefined,
  };
}
