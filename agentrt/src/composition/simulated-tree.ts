import { dirname, resolve } from "node:path";
import type { ResilienceOptions, SupervisorSpec } from "../core/index.ts";
import { buildableKinds, type LoadClass } from "../node-kinds/index.ts";
import { createTypeLoader } from "../plugins/index.ts";
import {
  isSupervisorNode,
  type SupervisorNode,
  type Topology,
  type TopologyNode,
} from "../topology/index.ts";
import { builtInClasses } from "./built-in-classes.ts";
import { buildTree } from "./build-tree.ts";
import { refuseUses } from "./refuse-uses.ts";
import { resilienceOf } from "./resilience-of.ts";

/** The tree of a topology as a simulation runs it, and what else of the project it may load. */
export interface SimulatedTree {
  readonly supervision: SupervisorSpec;
  /** Names of the nodes that are not there, because they serve the outside world. */
  readonly leftOut: readonly string[];
  /** The model providers that the file names, the default one first. Nothing of them is loaded. */
  readonly models: readonly { readonly name: string; readonly defaultModel: string | undefined }[];
  /** The tool servers that the file names. */
  readonly toolServers: readonly string[];
  /** What is done about calls that fail; undefined for nothing. */
  readonly resilience: ResilienceOptions | undefined;
  /** Loads a class that an agent spawns by name. */
  readonly loadClass: LoadClass;
  /** Loads a function of the project, such as a workload. */
  readonly loadFunction: (type: string) => Promise<(...parameters: never[]) => unknown>;
  /** Takes the loading hooks away. */
  readonly close: () => void;
}

/**
 * Builds the tree of a topology for a simulation: with the user's classes, without gateways and topology servers. Of
 * models and tool servers it takes the names: something else plays them.
 *
 * @param topology A validated topology.
 * @param path Where it is: class paths count from its folder.
 * @returns The tree.
 * @throws AGENTRT_COMPOSITION_*, AGENTRT_PLUGIN_*.
 */
export async function simulatedTree(topology: Topology, path: string): Promise<SimulatedTree> {
  const leftOut: TopologyNode[] = [];
  const supervision = withoutServers(topology.supervision, leftOut);
  refuseUnserved(topology, leftOut);
  const loader = createTypeLoader({
    projectRoot: dirname(resolve(path)),
    typeMap: builtInClasses,
  });
  try {
    return {
      supervision: await buildTree({ ...topology, supervision }, loader),
      leftOut: leftOut.map((node) => node.name),
      models: topology.plugins.models.map(({ type, name = type, config }) => {
        const { default_model: model } = config;
        return { name, defaultModel: typeof model === "string" ? model : undefined };
      }),
      toolServers: topology.toolServers.map(({ name }) => name),
      resilience: resilienceOf(topology),
      loadClass: (type) => loader.load(type),
      loadFunction: loader.loadFunction,
      close: loader.uninstall,
    };
  } catch (error) {
    loader.uninstall();
    throw error;
  }
}

const serverKinds: ReadonlySet<string> = new Set(
  buildableKinds.flatMap(({ name, isServer }) => (isServer === true ? [name] : [])),
);

function withoutServers(node: SupervisorNode, leftOut: TopologyNode[]): SupervisorNode {
  const children: TopologyNode[] = [];
  for (const each of node.children) {
    if (isSupervisorNode(each)) children.push(withoutServers(each, leftOut));
    else if (serverKinds.has(each.kind)) leftOut.push(each);
    else children.push(each);
  }
  return { ...node, children };
}

/** What is not served matters where it is part of the tree that runs. */
function refuseUnserved(topology: Topology, leftOut: readonly TopologyNode[]): void {
  refuseUses(
    topology,
    ({ path }) =>
      path.startsWith("supervision") && !leftOut.some((node) => path.startsWith(node.path)),
  );
}
