import { isSupervisorNode, type SupervisorNode, type TopologyNode } from "../../topology/index.ts";

const portKeys = ["port", "port_quic", "grpc_port"];

/**
 * Finds the ports that nodes of a file listen on, whatever the address.
 *
 * @param root Of the file.
 * @returns By the name of the node, for those that listen; 0, which is any port, is left out.
 */
export function portsOf(root: SupervisorNode): Map<string, readonly number[]> {
  const ports = new Map<string, readonly number[]>();
  const visit = (node: TopologyNode): void => {
    if (isSupervisorNode(node)) {
      node.children.forEach(visit);
      return;
    }
    const { declared } = node;
    // A server that is attached listens by the gateway that it is attached to.
    if (declared["attach_to"] !== undefined || !portKeys.some((key) => key in declared)) return;
    const found = portKeys.flatMap((key) => {
      const port = declared[key];
      return typeof port === "number" && port !== 0 ? [port] : [];
    });
    ports.set(node.name, found);
  };
  visit(root);
  return ports;
}
