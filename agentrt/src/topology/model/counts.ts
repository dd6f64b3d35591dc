import { isSupervisorNode, type Topology, walkTree } from "./topology.ts";
import type { NodeKindTable } from "./node-kind.ts";

/** How much a topology holds. */
export interface TopologyCounts {
  /** Every node that handles messages: agents, servers, gateways. A pool or a keyed agent is one. */
  readonly agentCount: number;
  /** Supervisors, the root and dynamic ones included. */
  readonly supervisorCount: number;
  /** Operating-system processes: this one, and one for each name under `process:` where the transport has workers. */
  readonly processCount: number;
  readonly pluginCount: number;
}

/**
 * Counts what a topology holds.
 *
 * @param topology The topology.
 * @param kinds The table it was parsed with; tells which kinds are supervisors.
 * @returns The counts.
 */
export function countTopology(topology: Topology, kinds: NodeKindTable): TopologyCounts {
  const supervisorKinds = new Set(
    kinds.kinds.filter((kind) => kind.isSupervisor === true).map((kind) => kind.name),
  );
  const processes = new Set<string>();
  let agentCount = 0;
  let supervisorCount = 0;
  for (const node of walkTree(topology.supervision)) {
    if (isSupervisorNode(node)) {
      supervisorCount += 1;
      continue;
    }
    if (supervisorKinds.has(node.kind)) supervisorCount += 1;
    else agentCount += 1;
    if (node.process !== undefined) processes.add(node.process);
  }
  const { models, exporters, state } = topology.plugins;
  return {
    agentCount,
    supervisorCount,
    processCount: topology.transport.type === "in_process" ? 1 : processes.size + 1,
    pluginCount: models.length + exporters.length + (state === undefined ? 0 : 1),
  };
}
