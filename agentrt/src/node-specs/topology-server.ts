import {
  topologyAgentSpec,
  topologyServerSpec,
  type TopologyServerOptions,
} from "../control/index.ts";
import {
  type AgentSpec,
  checkNodeName,
  checkOptions,
  type ChildSpec,
  type OptionNames,
  supervisor,
  type SupervisorSpec,
} from "../core/index.ts";
import { placeholder, runtimeNode } from "./runtime-node.ts";

/** What `topologyServer` takes. */
export interface TopologyServerNodeOptions extends TopologyServerOptions {
  /** Name of an `httpGateway` whose `topologyAgent` names this server; then there is no separate gateway. */
  readonly attachTo?: string | undefined;
}

/** Where an attached topology server's options are found again by the gateway that serves it. */
const attachedOptions = Symbol("attachedOptions");

interface AttachedServer extends AgentSpec {
  readonly [attachedOptions]: TopologyServerOptions;
}

/**
 * Describes a topology server in a tree: the supervisor `<name>_supervisor` with the agents `<name>` and
 * `<name>_gateway`; with `attachTo` only the agent.
 *
 * @param name Unique in the tree, as are the names made from it.
 * @param options Where to listen, or what to attach to; default `127.0.0.1:6789`.
 * @returns The node, for `supervisor({ children })`.
 */
export function topologyServer(name: string, options: TopologyServerNodeOptions = {}): ChildSpec {
  checkNodeName("agent", name);
  checkOptions(`topology server "${name}"`, options, serverOptionNames);
  const { attachTo, ...server } = options;
  if (attachTo !== undefined) {
    const attached: AttachedServer = { ...placeholder(name), [attachedOptions]: server };
    return runtimeNode(attached, ({ parts }) => topologyAgentSpec(name, parts.control));
  }
  return runtimeNode(supervisor(`${name}_supervisor`, { children: [] }), ({ parts }) =>
    topologyServerSpec(name, server, parts),
  );
}

/**
 * What an attached topology server was described with.
 *
 * @param node Where to look.
 * @param name Of the server.
 * @returns Its options; `undefined` where there is no such server.
 */
export function attachedServer(
  node: SupervisorSpec,
  name: string,
): TopologyServerOptions | undefined {
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

const serverOptionNames: OptionNames<TopologyServerNodeOptions> = {
  host: true,
  port: true,
  prefix: true,
  tls: true,
  mtls: true,
  middleware: true,
  scopes: true,
  attachTo: true,
  redact: true,
  deadLetterPayloadCountMax: true,
  hasConsole: true,
};
