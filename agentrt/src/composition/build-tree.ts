import { type ChildSpec, supervisor, type SupervisorSpec } from "../core/index.ts";
import { buildableKinds, type CodeSource, TreeLoader } from "../node-kinds/index.ts";
import {
  isSupervisorNode,
  type KindNode,
  type SupervisorNode,
  type Topology,
} from "../topology/index.ts";

/**
 * Turns a topology into the description that a runtime is built from: user classes loaded and checked, gateways and
 * topology servers put in place.
 *
 * @param topology A validated topology that uses nothing unserved.
 * @param source Loads the classes and functions it names, or a loader that does.
 * @returns The root supervisor.
 * @throws AGENTRT_COMPOSITION_* with the position of the node in the file.
 */
export async function buildTree(
  topology: Topology,
  source: CodeSource | TreeLoader,
): Promise<SupervisorSpec> {
  const loader = source instanceof TreeLoader ? source : new TreeLoader(topology.fileName, source);
  return await buildSupervisor(topology.supervision, loader);
}

async function buildSupervisor(node: SupervisorNode, loader: TreeLoader): Promise<SupervisorSpec> {
  const children: ChildSpec[] = [];
  // One after the other, so that the first fault in the file is the one reported.
  for (const each of node.children) {
    children.push(
      isSupervisorNode(each) ? await buildSupervisor(each, loader) : await buildNode(each, loader),
    );
  }
  const {
    strategy,
    restartCountMax,
    restartWindowMs,
    backoff,
    backoffBaseMs,
    backoffMaxMs,
    budget,
  } = node;
  return supervisor(node.name, {
    strategy,
    restartCountMax,
    restartWindowMs,
    backoff,
    backoffBaseMs,
    backoffMaxMs,
    budget,
    children,
  });
}

async function buildNode(node: KindNode, loader: TreeLoader): Promise<ChildSpec> {
  const kind = buildableKinds.find(({ name }) => name === node.kind);
  if (kind === undefined) throw new TypeError(`No kind of node is called "${node.kind}"`);
  return await kind.build(node, loader);
}
