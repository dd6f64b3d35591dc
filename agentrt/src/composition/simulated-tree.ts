import { dirname, resolve } from "node:path";
import type { SupervisorSpec } from "../core/index.ts";
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

/** The tree of a topology as a simulation runs it, and what else of the project it may load. */
export interface SimulatedTree {
  readonly supervision: SupervisorSpec;
  /** Names of the nodes that are not there, because they serve the outside world. */
  readonly leftOut: readonly string[];
  /** Loads a class that an agent spawns by name. */
  readonly loadClass: LoadClass;
  /** Loads a function of the project, such as a workload. */
  readonly loadFunction: (type: string) => Promise<(...parameters: never[]) => unknown>;
  /** Takes the loading hooks away. */
  readonly close: () => void;
}

/**
 * Builds the tree of a topology for a simulation: with the user's classes, without gateways and topology servers. Of
 * the sections of the file, only `supervision` is used.
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
