import type { SupervisorNode as LiveSupervisor, TreeNode } from "../../core/index.ts";
import { isSupervisorNode, type SupervisorNode } from "../../topology/index.ts";
import type { PlannedNode, TopologyPlan } from "./plan-topology.ts";

/** Most names of spawned children that a plan lists for one node. */
export const childNameCountMax = 100;

/** What a step does to work that is under way, at the moment of the plan. */
export interface NodeEffects {
  /** Messages that are being handled: they are finished first, within the time for a stop. */
  readonly atHandCount: number;
  /** Messages that wait: kept by who restarts, ended with an error by who stops for good. */
  readonly waitingCount: number;
  /** Spawned children, or keys, that end with it; the first 100 names. */
  readonly childNames: readonly string[];
  readonly childCount: number;
  /** Siblings that a crash of it restarts, too, by the strategy of the new file. */
  readonly crashRestarts: readonly string[];
}

/** A node of a plan, and what its step does to the tree that runs. */
export type LiveNode = PlannedNode & NodeEffects;

/** A plan against the tree that runs. */
export interface LivePlan extends Omit<TopologyPlan, "nodes"> {
  readonly nodes: readonly LiveNode[];
  /** Process groups that something changes for and that have no process: they get it when one comes. */
  readonly awayGroups: readonly string[];
}

const noEffects: NodeEffects = {
  atHandCount: 0,
  waitingCount: 0,
  childNames: [],
  childCount: 0,
  crashRestarts: [],
};

/**
 * Looks what a plan does to the tree that runs.
 *
 * @param plan The plan.
 * @param to The root of the new file.
 * @param tree The tree that runs.
 */
export function livePlan(
  plan: TopologyPlan,
  to: SupervisorNode,
  tree: LiveSupervisor,
): Omit<LivePlan, "awayGroups"> {
  const live = new Map<string, TreeNode>();
  const enter = (node: TreeNode): void => {
    live.set(node.name, node);
    if (node.kind === "supervisor") for (const child of node.children) enter(child);
  };
  enter(tree);
  const groups = crashGroups(to);
  const nodes = plan.nodes.map((node): LiveNode => {
    const found = live.get(node.name);
    const ends = node.act === "stop" || node.act === "restart";
    const begins = node.act === "start" || node.act === "restart";
    return {
      ...node,
      ...noEffects,
      ...(ends && found !== undefined ? effectsOf(found) : {}),
      ...(begins ? { crashRestarts: groups.get(node.name) ?? [] } : {}),
    };
  });
  return { ...plan, nodes };
}

function effectsOf(node: TreeNode): Omit<NodeEffects, "crashRestarts"> {
  if (node.kind === "agent") {
    const { busyCount: atHandCount, mailboxDepth: waitingCount } = node;
    return { atHandCount, waitingCount, childNames: [], childCount: 0 };
  }
  const spawned = node.dynamic === undefined ? [] : node.children.map(({ name }) => name);
  return {
    atHandCount: node.pool?.busyCount ?? 0,
    waitingCount: node.pool?.mailboxDepth ?? node.keyed?.mailboxDepth ?? 0,
    childNames: spawned.slice(0, childNameCountMax),
    childCount: node.keyed?.residentCount ?? spawned.length,
  };
}

/** For each child of a supervisor that restarts several together: the others. */
function crashGroups(root: SupervisorNode): Map<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  const visit = (node: SupervisorNode): void => {
    const names = node.children.map(({ name }) => name);
    for (const [index, child] of node.children.entries()) {
      if (node.strategy === "ONE_FOR_ALL")
        groups.set(
          child.name,
          names.filter((name) => name !== child.name),
        );
      if (node.strategy === "REST_FOR_ONE") groups.set(child.name, names.slice(index + 1));
      if (isSupervisorNode(child)) visit(child);
    }
  };
  visit(root);
  return groups;
}
