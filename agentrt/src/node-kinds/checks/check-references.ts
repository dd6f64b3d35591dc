import { didYouMean, nearestName } from "../../core/index.ts";
import { isSupervisorNode, type NodeFinding, type TreeView } from "../../topology/index.ts";

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
