import {
  Agent,
  type AgentClass,
  child,
  EvalAgent,
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
import { buildDynamicSupervisor } from "../node-kinds/dynamic-supervisor.ts";
import { evalAgent } from "../node-specs/eval-agent.ts";
import { buildGateway, buildTopologyServer } from "./build-gateway.ts";
import { compositionErrors } from "./errors.ts";
import { httpGatewayKind, topologyServerKind } from "../node-kinds/http-gateway.ts";
import {
  agentKind,
  dynamicSupervisorKind,
  evalAgentKind,
  genServerKind,
} from "../node-kinds/node-kinds.ts";

/** Loads the class a `type:` names. */
export type LoadClass = (type: string) => Promise<unknown>;

/** Loads what a topology names. */
export interface TreeLoader {
  readonly load: LoadClass;
  /** Loads the function behind the path of a middleware. */
  readonly loadFunction: LoadClass;
}

/**
 * Turns a topology into the description that a runtime is built from: user classes loaded and checked, gateways and
 * topology servers put in place.
 *
 * @param topology A validated topology that uses nothing unserved.
 * @param loader Loads the classes and functions it names.
 * @returns The root supervisor.
 * @throws AGENTRT_COMPOSITION_* with the position of the node in the file.
 */
export async function buildTree(topology: Topology, loader: TreeLoader): Promise<SupervisorSpec> {
  const loadClass: LoadClass = (type) => loader.load(type);
  const build = async (node: TopologyNode): Promise<ChildSpec> => {
    if (isSupervisorNode(node)) return await buildSupervisor(node);
    if (node.kind === httpGatewayKind.name) return await buildGateway(node, topology, loader);
    if (node.kind === topologyServerKind.name)
      return await buildTopologyServer(node, topology, loader);
    if (node.kind === dynamicSupervisorKind.name) {
      const at = `${topology.fileName}:${node.at.line1}:${node.at.column1}`;
      return await buildDynamicSupervisor(node, at, (type) => load(type, at, loadClass));
    }
    if (node.kind === evalAgentKind.name) return await buildEvalAgent(node, topology, loadClass);
    return await buildAgent(node, topology, loadClass);
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
  loadClass: LoadClass,
): Promise<ChildSpec> {
  const kind = node.kind === genServerKind.name ? genServerKind : agentKind;
  const settings = settingsOf(kind, node);
  const type = node.type ?? "";
  const at = `${topology.fileName}:${node.at.line1}:${node.at.column1}`;
  const loaded = await load(type, at, loadClass);
  const base = kind === genServerKind ? GenServer : Agent;
  if (typeof loaded !== "function" || !(loaded.prototype instanceof base)) {
    throw new compositionErrors.NOT_AN_AGENT({ node: node.name, type, wanted: base.name, at });
  }
  return child(loaded as AgentClass, node.name, {
    config: settings.config,
    capabilities: settings.capabilities,
    capabilityMetadata: settings.capabilityMetadata,
    handleTimeoutMs: settings.handleTimeoutMs,
    credentials: settings.credentials,
    process: node.process,
  });
}

async function buildEvalAgent(
  node: KindNode,
  topology: Topology,
  loadClass: LoadClass,
): Promise<ChildSpec> {
  const { classPath, correctionCountMax, windowMs } = settingsOf(evalAgentKind, node);
  const limits = { correctionCountMax, correctionWindowMs: windowMs, process: node.process };
  if (classPath === undefined) return evalAgent(node.name, limits);
  const at = `${topology.fileName}:${node.at.line1}:${node.at.column1}`;
  const loaded = await load(classPath, at, loadClass);
  if (typeof loaded !== "function" || !(loaded.prototype instanceof EvalAgent)) {
    const details = { node: node.name, type: classPath, wanted: EvalAgent.name, at };
    throw new compositionErrors.NOT_AN_AGENT(details);
  }
  return evalAgent(node.name, { ...limits, agentClass: loaded as AgentClass });
}

async function load(type: string, at: string, loadClass: LoadClass): Promise<unknown> {
  try {
    return await loadClass(type);
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    throw new compositionErrors.CLASS_NOT_LOADED({ at, reason: cause.message }, { cause });
  }
}
