import {
  isSupervisorNode,
  type NodeFinding,
  type TopologyNode,
  type TreeView,
} from "../../topology/index.ts";

interface Listener {
  readonly host: string;
  readonly port: number;
  readonly grpc?: { readonly port: number | undefined } | undefined;
}

const everyHost = new Set(["0.0.0.0", "::"]);

/**
 * Checks that no node before it in the file listens on the same TCP port, over HTTP or gRPC: both cannot start.
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
  const { host } = settings;
  for (const { key, port } of portsOf(settings)) {
    const taken = tree.names.slice(0, tree.names.indexOf(name)).find((otherName) => {
      const other = listenerOf(tree.find(otherName));
      if (other === undefined || !portsOf(other).some((each) => each.port === port)) return false;
      return other.host === host || everyHost.has(other.host) || everyHost.has(host);
    });
    if (taken === undefined) continue;
    const otherHost = listenerOf(tree.find(taken))?.host;
    yield {
      path: [key],
      refersTo: taken,
      message: `"${taken}" listens on port ${port} of ${otherHost} already`,
    };
  }
}

/** The ports that a node takes; 0 is any free one. */
function portsOf({ port, grpc }: Listener): { readonly key: string; readonly port: number }[] {
  return [
    { key: "port", port },
    { key: "grpc_port", port: grpc?.port ?? 0 },
  ].filter((each) => each.port !== 0);
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
