import {
  isSupervisorNode,
  type NodeKindTable,
  type Topology,
  walkTree,
} from "../../topology/index.ts";
import type { LiveNode } from "./live-topology.ts";

/**
 * Compares a file with the tree that answers at its address: it may be another one.
 *
 * @param topology The file.
 * @param kinds The table it was parsed with.
 * @param root The running tree.
 * @returns Names that only one of them has. Children that come and go while a tree runs are not counted.
 */
export function compareNames(
  topology: Topology,
  { kinds }: NodeKindTable,
  root: LiveNode,
): { readonly missing: readonly string[]; readonly foreign: readonly string[] } {
  const declared = new Set<string>();
  const known = new Set<string>();
  for (const node of walkTree(topology.supervision)) {
    const kind = isSupervisorNode(node) ? undefined : kinds.find(({ name }) => name === node.kind);
    declared.add(node.name);
    known.add(node.name);
    if (isSupervisorNode(node)) continue;
    for (const name of kind?.impliedNames?.(node.name, node.settings) ?? []) known.add(name);
  }
  const live = new Set(staticNames(root));
  return {
    missing: [...declared].filter((name) => !live.has(name)),
    foreign: [...live].filter((name) => !known.has(name)),
  };
}

function* staticNames(node: LiveNode): Generator<string> {
  yield node.name;
  const { liveCount, residentCount, busyCount } = node;
  if ((liveCount ?? residentCount ?? busyCount) !== undefined) return;
  for (const child of node.children) yield* staticNames(child);
}
