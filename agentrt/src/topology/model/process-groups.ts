import { isSupervisorNode, type Topology, walkTree } from "./topology.ts";

/** @returns The names of the process groups of a topology, in file order, each once. */
export function processGroups(topology: Topology): readonly string[] {
  const names = [...walkTree(topology.supervision)].flatMap((node) =>
    isSupervisorNode(node) || node.process === undefined ? [] : [node.process],
  );
  return [...new Set(names)];
}
