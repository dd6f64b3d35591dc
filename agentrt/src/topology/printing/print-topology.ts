import type { Budget, JsonObject } from "../../core/index.ts";
import {
  countTopology,
  isSupervisorNode,
  type SupervisorNode,
  type Topology,
  type TopologyNode,
  type NodeKindTable,
} from "../model/index.ts";

/**
 * Turns a topology into what `topology show --json` prints: names as the file has them, seconds as seconds, defaults filled in.
 *
 * @param topology The topology.
 * @param kinds The table it was parsed with.
 * @returns A plain JSON object.
 */
export function printTopology(topology: Topology, kinds: NodeKindTable): JsonObject {
  const counts = countTopology(topology, kinds);
  return {
    file: topology.fileName,
    transport: topology.transport.type,
    plugins: counts.pluginCount,
    agents: counts.agentCount,
    supervisors: counts.supervisorCount,
    processes: counts.processCount,
    ...(topology.resilience === undefined ? {} : { resilience: topology.resilience }),
    supervision: printNode(topology.supervision),
  };
}

function printNode(node: TopologyNode): JsonObject {
  if (!isSupervisorNode(node)) {
    return {
      name: node.name,
      type: node.kind,
      ...(node.type === undefined ? {} : { class: node.type }),
      ...(node.process === undefined ? {} : { process: node.process }),
    };
  }
  return {
    name: node.name,
    type: "supervisor",
    ...printSupervisorFields(node),
    children: node.children.map(printNode),
  };
}

/**
 * A supervisor's own settings under the file's keys, in seconds.
 *
 * @param node The supervisor.
 * @returns All but name and children.
 */
export function printSupervisorFields(node: SupervisorNode): JsonObject {
  return {
    strategy: node.strategy,
    max_restarts: node.restartCountMax,
    restart_window: node.restartWindowMs / 1000,
    backoff: node.backoff,
    backoff_base: node.backoffBaseMs / 1000,
    backoff_max: node.backoffMaxMs / 1000,
    ...(node.budget === undefined ? {} : { budget: printBudget(node.budget) }),
  };
}

function printBudget({ usd, tokens, per }: Budget): JsonObject {
  return {
    ...(usd === undefined ? {} : { usd }),
    ...(tokens === undefined ? {} : { tokens }),
    per,
  };
}
