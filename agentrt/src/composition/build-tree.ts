import {
  Agent,
  type AgentClass,
  child,
  type ChildSpec,
  GenServer,
  supervisor,
  type SupervisorSpec,
  TableError,
} from "../core/index.ts";
import {
  isSupervisorNode,
  type KindNode,
  settingsOf,
  type SupervisorNode,
  type Topology,
  type TopologyNode,
} from "../topology/index.ts";
import { buildHttpGateway, buildTopologyServer, type GatewayParts } from "./build-gateway.ts";
import { compositionErrors } from "./errors.ts";
import { httpGatewayKind, topologyServerKind } from "./node-kinds-gateway.ts";
import { agentKind, genServerKind } from "./node-kinds.ts";

/** What building a tree needs beside the topology. */
export interface TreeParts extends GatewayParts {
  /** Loads the class a `type:` names. */
  readonly loadClass: (type: string) => Promise<unknown>;
}

/**
 * Turns a topology into the description that a runtime is built from: user classes loaded and checked, gateways and
 * topology servers put in place.
 *
 * @param topology A validated topology that uses nothing unserved.
 * @param parts Loader and the runtime's own view of itself.
 * @returns The root supervisor.
 * @throws AGENTRT_COMPOSITION_* with the position of the node in the file.
 */
export async function buildTree(topology: Topology, parts: TreeParts): Promise<SupervisorSpec> {
  const build = async (node: TopologyNode): Promise<ChildSpec> => {
    if (isSupervisorNode(node)) return await buildSupervisor(node);
    if (node.kind === httpGatewayKind.name) {
      return buildHttpGateway(node.name, settingsOf(httpGatewayKind, node), { topology, parts });
    }
    if (node.kind === topologyServerKind.name) {
      return buildTopologyServer(node.name, settingsOf(topologyServerKind, node), parts);
    }
    return await buildAgent(node, topology, parts);
  };
  const buildSupervisor = async (node: SupervisorNode): Promise<SupervisorSpec> => {
    const children: ChildSpec[] = [];
    // One after the other, so that the first fault in the file is the one reported.
    for (const each of node.children) children.push(await build(each));
    const { strategy, restartCountMax, restartWindowMs, backoff, backoffBaseMs, backoffMaxMs } =
      node;
    return supervisor(node.name, {
      strategy,
      restartCountMax,
      restartWindowMs,
      backoff,
      backoffBaseMs,
      backoffMaxMs,
      children,
    });
  };
  return await buildSupervisor(topology.supervision);
}

async function buildAgent(
  node: KindNode,
  topology: Topology,
  parts: TreeParts,
): Promise<ChildSpec> {
  const kind = node.kind === genServerKind.name ? genServerKind : agentKind;
  const settings = settingsOf(kind, node);
  const type = node.type ?? "";
  const at = `${topology.fileName}:${node.at.line1}:${node.at.column1}`;
  const loaded = await load(type, at, parts);
  const base = kind === genServerKind ? GenServer : Agent;
  if (typeof loaded !== "function" || !(loaded.prototype instanceof base)) {
    throw new compositionErrors.NOT_AN_AGENT({ node: node.name, type, wanted: base.name, at });
  }
  return child(loaded as AgentClass, node.name, {
    config: settings.config,
    capabilities: settings.capabilities,
    capabilityMetadata: settings.capabilityMetadata,
    handleTimeoutMs: settings.handleTimeoutMs,
    process: node.process,
  });
}

async function load(type: string, at: string, parts: TreeParts): Promise<unknown> {
  try {
    return await parts.loadClass(type);
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    throw new compositionErrors.CLASS_NOT_LOADED({ at, reason: cause.message }, { cause });
  }
}
