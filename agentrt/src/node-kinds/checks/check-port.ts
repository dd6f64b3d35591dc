import {
  isSupervisorNode,
  type NodeFinding,
  type TopologyNode,
  type TreeView,
} from "../../topology/index.ts";

interface Listener {
  readonly host: string;
  readonly port: number;
}

const everyHost = new Set(["0.0.0.0", "::"]);

/**
 * Checks that no node before it in the file listens on the same port: both cannot start.
 *
 * @param name Of the node.
 * @param settings Where it listens.
 * @param tree Where other nodes are found.
 */
export function* checkPort(
  name: string,
  settings: Listener,
  tree: TreeView,
): Generator<NodeFinding> {
  const { host, port } = settings;
  if (port === 0) return;
  for (const otherName of tree.names.slice(0, tree.names.indexOf(name))) {
    const other = listenerOf(tree.find(otherName));
    if (other?.port !== port) continue;
    if (other.host !== host && !everyHost.has(other.host) && !everyHost.has(host)) continue;
    yield {
      path: ["port"],
      refersTo: otherName,
      message: `"${otherName}" listens on port ${port} of ${other.host} already`,
    };
    return;
  }
}

function listenerOf(node: TopologyNode | undefined): Listener | undefined {
  if (node === undefined || isSupervisorNode(node)) return undefined;
  const { settings } = node;
  // A topology server that is attached to a gateway listens nowhere.
  return isListener(settings) && settings.attachTo === undefined ? settings : undefined;
}

function isListener(settings: object): settings is Listener & { readonly attachTo?: string } {
  return "host" in settings && "port" in settings && typeof settings.port === "number";
}
