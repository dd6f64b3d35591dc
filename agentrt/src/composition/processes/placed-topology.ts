import type { SentTree, TreeFiles, TreePart } from "../../runtime/index.ts";
import { isSupervisorNode, type Topology, walkTree } from "../../topology/index.ts";
import { workerErrors } from "../../workers/index.ts";
import { refuseUnhosted } from "./refuse-unhosted.ts";
import { topologyHash } from "./topology-hash.ts";
import { agentNamesOf, workerTopology } from "./worker-topology.ts";

/** What a worker has of another topology. */
export interface PlacedPart extends Omit<TreePart, "prepare"> {
  readonly topology: Topology;
}

/** What is said of topologies whose agents are on several processes. */
export interface PlacedTopologies {
  /** {@inheritDoc ProcessOptions.process} */
  readonly process: string | undefined;
  /** @throws AGENTRT_COMPOSITION_KEY_NOT_SERVED for what cannot be on a worker. */
  readonly check: (topology: Topology) => void;
  /** Makes it ready for workers. */
  readonly sent: (topology: Topology, files: TreeFiles["files"]) => SentTree;
  /** Takes out what this worker has of it. @throws AGENTRT_WORKER_READS_DIFFERENTLY. */
  readonly part: (topology: Topology, hash: string) => PlacedPart;
}

/**
 * Says which part of topologies a process has.
 *
 * @param process Name of its process group; undefined for the supervisor's process.
 */
export function placedTopologies(process: string | undefined): PlacedTopologies {
  return {
    process,
    check: refuseUnhosted,
    sent: (topology, files) => ({
      hash: topologyHash(topology),
      files,
      agentNames: agentNamesOf(topology),
      groups: groupsOf(topology),
    }),
    part: (whole, hash) => {
      const name = process ?? "";
      if (topologyHash(whole) !== hash) throw new workerErrors.READS_DIFFERENTLY({ process: name });
      const { topology, others, budgetedNames } = workerTopology(whole, name, {
        isEmptyTaken: true,
      });
      return { topology, others, budgetedNames, agentNames: agentNamesOf(whole) };
    },
  };
}

function groupsOf({ supervision }: Topology): Map<string, string> {
  const groups = new Map<string, string>();
  for (const node of walkTree(supervision))
    if (!isSupervisorNode(node) && node.process !== undefined) groups.set(node.name, node.process);
  return groups;
}
