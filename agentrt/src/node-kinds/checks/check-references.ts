import { didYouMean, nearestName } from "../../core/index.ts";
import {
  isSupervisorNode,
  type NodeFinding,
  type TopologyNode,
  type TreeView,
} from "../../topology/index.ts";

/** Agents of the runtime itself: what guards their own routes would not guard a route to them. */
const closedKinds: ReadonlySet<string> = new Set(["http_gateway", "topology_server"]);

/**
 * Checks that a name is that of an agent of the tree that clients may reach.
 *
 * @param name Of the agent.
 * @param path Where the settings name it.
 * @param tree Names and nodes.
 */
export function* checkAgent(
  name: string,
  path: (string | number)[],
  tree: TreeView,
): Generator<NodeFinding> {
  const node = tree.find(name);
  if (node !== undefined) {
    if (isSupervisorNode(node))
      yield { path, message: `"${name}" is a supervisor, wanted an agent` };
    else if (closedKinds.has(node.kind))
      yield { path, message: `"${name}" is a ${node.kind}: clients cannot reach one` };
    return;
  }
  const nearest = nearestName(name, tree.names);
  const message = `there is no agent "${name}" in the tree`;
  if (tree.isDynamic && nearest === undefined)
    yield {
      path,
      refersTo: name,
      message: `${message}: it must have been spawned before a request comes`,
      isNote: true,
    };
  else
    yield {
      path,
      refersTo: name,
      message: `${message}${didYouMean(name, tree.names)}`,
      ...(nearest === undefined ? {} : { nearest }),
      isNote: tree.isDynamic,
    };
}

/**
 * Checks that at least one agent of the tree declares a capability.
 *
 * @param tag The capability.
 * @param path Where the settings name it.
 * @param tree Names and nodes.
 */
export function* checkCapability(
  tag: string,
  path: (string | number)[],
  tree: TreeView,
): Generator<NodeFinding> {
  const declared = tree.names.flatMap((name) => capabilitiesOf(tree.find(name)));
  if (declared.includes(tag)) return;
  const message = `no agent in the tree declares the capability "${tag}"`;
  const nearest = nearestName(tag, declared);
  yield tree.isDynamic && nearest === undefined
    ? {
        path,
        message: `${message}: one must have been spawned before a request comes`,
        isNote: true,
      }
    : {
        path,
        message: `${message}${didYouMean(tag, declared)}`,
        ...(nearest === undefined ? {} : { nearest }),
        isNote: tree.isDynamic,
      };
}

function capabilitiesOf(node: TopologyNode | undefined): readonly string[] {
  if (node === undefined || isSupervisorNode(node)) return [];
  return (node.settings as { readonly capabilities?: readonly string[] }).capabilities ?? [];
}

/**
 * Checks that a route names one of agent and capability, and that it is there.
 *
 * @param route Of a gateway.
 * @param path Where the settings declare it.
 * @param tree Names and nodes.
 */
export function* checkRecipient(
  route: { readonly agent?: string | undefined; readonly capability?: string | undefined },
  path: (string | number)[],
  tree: TreeView,
): Generator<NodeFinding> {
  const { agent, capability } = route;
  if (agent !== undefined && capability !== undefined) {
    const message = "agent and capability are both there, wanted one of them";
    yield { path: [...path, "capability"], message };
  } else if (agent !== undefined) yield* checkAgent(agent, [...path, "agent"], tree);
  else if (capability !== undefined)
    yield* checkCapability(capability, [...path, "capability"], tree);
  else yield { path, message: "an agent is missing, or a capability in its place" };
}

/**
 * Checks that a name is that of a node of a kind.
 *
 * @param name Of the node.
 * @param reference Where the settings name it, and the kind it must be of.
 */
export function* checkKind(
  name: string,
  { path, kind, tree }: { path: (string | number)[]; kind: string; tree: TreeView },
): Generator<NodeFinding> {
  const node = tree.find(name);
  if (node?.kind === kind) return;
  if (node !== undefined) {
    yield { path, message: `"${name}" is of kind ${node.kind}, wanted ${kind}` };
    return;
  }
  const names = tree.names.filter((other) => tree.find(other)?.kind === kind);
  const nearest = nearestName(name, names);
  yield {
    path,
    refersTo: name,
    message: `there is no ${kind} "${name}" in the tree${didYouMean(name, names)}`,
    ...(nearest === undefined ? {} : { nearest }),
  };
}
