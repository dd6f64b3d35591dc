import {
  isSupervisorNode,
  type SupervisorNode,
  type TopologyNode,
  walkTree,
  type NodeKind,
  type TreeView,
} from "../model/index.ts";
import { type ProblemLog, type TopologyCheck, formatPath, lineFrom } from "../source/index.ts";
import { positionInSettings } from "./settings-source.ts";
import type { TreeReading } from "./tree-reading.ts";

/**
 * Checks what needs the whole tree: names that occur twice, and references between nodes.
 *
 * @param root The tree as read.
 * @param reading The kinds, the log, and where each node's settings are.
 * @param modelNames Names of the model providers of the file.
 */
export function checkTree(
  root: SupervisorNode,
  reading: TreeReading,
  modelNames: readonly string[],
): void {
  const nodes = [...walkTree(root)];
  const byName = checkNames(nodes, reading);
  const tree: TreeView = {
    find: (name) => byName.get(name),
    names: [...byName.keys()],
    isDynamic: nodes.some((node) => node.kind === "dynamic_supervisor"),
    modelNames,
  };
  for (const node of nodes) {
    if (isSupervisorNode(node)) continue;
    const source = reading.sources.get(node);
    if (source === undefined) continue;
    for (const finding of reading.kinds.get(node.kind)?.check?.(node, tree) ?? []) {
      if (finding.refersTo !== undefined && reading.brokenNames.has(finding.refersTo)) continue;
      const fault = {
        check: "references" as const,
        path: formatPath(source.pathOf(finding.path)),
        ...positionInSettings(source, finding.path),
        message: finding.message,
        ...(finding.nearest === undefined ? {} : { nearest: finding.nearest }),
      };
      if (finding.isNote === true) reading.log.note(fault);
      else reading.log.problem(fault);
    }
  }
}

interface Taken {
  readonly node: TopologyNode;
  /** False when the name belongs to a part that the node brings along. */
  readonly isOwn: boolean;
}

function checkNames(
  nodes: readonly TopologyNode[],
  reading: TreeReading,
): Map<string, TopologyNode> {
  const taken = new Map<string, Taken>();
  const byName = new Map<string, TopologyNode>();
  const implied: { name: string; node: TopologyNode }[] = [];
  for (const node of nodes) {
    if (node.name === "") continue;
    const first = taken.get(node.name);
    if (first !== undefined) reportDuplicate(node, first.node, reading);
    else {
      taken.set(node.name, { node, isOwn: true });
      byName.set(node.name, node);
    }
    if (isSupervisorNode(node)) continue;
    const names = reading.kinds.get(node.kind)?.impliedNames?.(node.name, node.settings) ?? [];
    for (const name of names) implied.push({ name, node });
  }
  for (const { name, node } of implied) {
    const first = taken.get(name);
    if (first === undefined) taken.set(name, { node, isOwn: false });
    else if (first.node !== node)
      reportImplied(name, { owner: node, other: first.node }, reading.log);
  }
  return byName;
}

function isSupervising(node: TopologyNode, kinds: ReadonlyMap<string, NodeKind>): boolean {
  return isSupervisorNode(node) || kinds.get(node.kind)?.isSupervisor === true;
}

function reportDuplicate(node: TopologyNode, first: TopologyNode, reading: TreeReading): void {
  const isSupervisor = isSupervising(node, reading.kinds);
  const isConflict = isSupervisor !== isSupervising(first, reading.kinds);
  const check: TopologyCheck = isConflict ? "no-name-conflicts" : "no-duplicate-names";
  const what = isConflict
    ? "agent and supervisor share the name"
    : `duplicate ${isSupervisor ? "supervisor" : "agent"} name`;
  const at = reading.nameAt.get(node) ?? node.at;
  const firstAt = reading.nameAt.get(first) ?? first.at;
  reading.log.problem({
    check,
    path: `${node.path}.name`,
    ...at,
    message: `${what} "${node.name}": first used at ${lineFrom(firstAt, at)}`,
  });
}

function reportImplied(
  name: string,
  { owner, other }: { owner: TopologyNode; other: TopologyNode },
  log: ProblemLog,
): void {
  log.problem({
    check: "no-name-conflicts",
    path: `${other.path}.name`,
    ...other.at,
    message: `the name "${name}" is taken by a part of "${owner.name}" (${lineFrom(owner.at, other.at)}): choose another`,
  });
}
