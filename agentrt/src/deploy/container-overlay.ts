import type { JsonObject } from "../core/index.ts";
import { isSupervisorNode, type Topology, type TopologyNode } from "../topology/index.ts";
import { toYaml } from "./to-yaml.ts";
import type { DeployedFile } from "./deployed-file.ts";
import type { DeployedPort, Deployment } from "./deployment.ts";
import { movedFiles } from "./folders.ts";

/** Where a container keeps what is to outlive it. */
export const dataFolder = "/data";

/** The ports of the proxy of ZeroMQ, as the topology has them, or the usual ones. */
export function proxyPorts({ transport }: Deployment): readonly [pub: number, sub: number] {
  const portOf = (address: string, usual: number): number =>
    Number(/:(\d+)$/.exec(address)?.[1] ?? usual);
  return [portOf(transport.pubAddr, 5559), portOf(transport.subAddr, 5560)];
}

/** What is laid over a topology in containers: for the supervisor, and for workers. */
interface Overlays {
  readonly supervisor: DeployedFile | undefined;
  readonly worker: DeployedFile | undefined;
}

/**
 * Writes what is different in containers: gateways listen on all addresses of theirs, files are where they outlive the container,
 * and workers find the proxy of ZeroMQ by the name of the supervisor.
 *
 * @param deployment Whose copies of the topology stay as they are.
 * @param supervisorHost Name by which workers find the supervisor.
 */
export function containerOverlays(deployment: Deployment, supervisorHost: string): Overlays {
  const { topology, transport } = deployment;
  const shared: JsonObject = {
    ...movedFiles(topology, dataFolder),
    ...openedGateways(topology, deployment.ports),
  };
  if (transport.type !== "zmq" || !transport.isProxyStarted) {
    const file = overlayFile("container.yaml", shared);
    return { supervisor: file, worker: file };
  }
  const [pub, sub] = proxyPorts(deployment);
  const at = (host: string): JsonObject => ({
    transport: { pub_addr: `tcp://${host}:${pub}`, sub_addr: `tcp://${host}:${sub}` },
  });
  const supervisor = { ...at("0.0.0.0"), ...shared };
  const worker = { ...at(supervisorHost), ...shared };
  return {
    supervisor: overlayFile("container.supervisor.yaml", supervisor),
    worker: overlayFile("container.worker.yaml", worker),
  };
}

function overlayFile(path: string, content: JsonObject): DeployedFile | undefined {
  if (Object.keys(content).length === 0) return undefined;
  const remark = "What is different in a container; it is laid over the topology.";
  return { path, content: toYaml(content, [remark]) };
}

/** A gateway that only its own machine reaches is reached by nobody in a container. */
function openedGateways(topology: Topology, ports: readonly DeployedPort[]): JsonObject {
  const names = new Set(ports.filter(({ isLocal }) => isLocal).map(({ node }) => node));
  const opened = opening(topology.supervision, names);
  return opened === undefined ? {} : { supervision: opened };
}

function opening(node: TopologyNode, names: ReadonlySet<string>): JsonObject | undefined {
  const { name } = node;
  if (!isSupervisorNode(node))
    return names.has(name) ? { name, config: { host: "0.0.0.0" } } : undefined;
  const children = node.children
    .map((child) => opening(child, names))
    .filter((child) => child !== undefined);
  return children.length === 0 ? undefined : { name, children };
}
