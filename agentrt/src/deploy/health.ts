import { proxyPorts } from "./container-overlay.ts";
import type { DeployedProcess, Deployment } from "./deployment.ts";

/**
 * Says what tells that a process is well: a gateway that answers, a port that is open, or else a connection to the broker.
 *
 * @param deployment Of the process.
 * @param process One of it.
 * @returns As the program of the health check takes it; undefined where nothing tells.
 */
export function healthOf(deployment: Deployment, { group }: DeployedProcess): string | undefined {
  const { ports, transport } = deployment;
  if (group === undefined) {
    const open = ports.filter(({ port, protocol }) => port > 0 && protocol === "tcp");
    const asked = open.find(({ healthPrefix }) => healthPrefix !== undefined);
    if (asked !== undefined)
      return `http://127.0.0.1:${asked.port}${asked.healthPrefix ?? ""}/health`;
    if (open[0] !== undefined) return `listening:${open[0].port}`;
  }
  if (transport.type === "in_process") return undefined;
  if (transport.type === "nats") return `connected:${brokerPort(deployment)}`;
  const [pub] = proxyPorts(deployment);
  return group === undefined && transport.isProxyStarted ? `listening:${pub}` : `connected:${pub}`;
}

function brokerPort({ hasBroker, transport: { servers } }: Deployment): number {
  if (hasBroker) return 4222;
  const { port, protocol } = new URL(servers[0] ?? "nats://nats:4222");
  if (port !== "") return Number(port);
  return protocol === "wss:" ? 443 : protocol === "ws:" ? 80 : 4222;
}
