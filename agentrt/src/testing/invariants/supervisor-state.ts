import type { SupervisorNode, TreeNode } from "../../core/index.ts";
import type { Life } from "../fact.ts";
import {
  agentNames,
  isPool,
  isSupervisor,
  type PlannedNode,
  type PlannedSupervisor,
} from "../tree-plan.ts";
import type { View } from "../invariant.ts";

/**
 * Finds a node of the running tree.
 *
 * @returns The node; undefined when there is none of that name.
 */
export function nodeOf(view: View, name: string): TreeNode | undefined {
  if (view.plan.supervisorOf(name) !== undefined) return view.supervisorNode(name);
  return treeNodeOf(view, name);
}

/**
 * Finds a node of the running tree: one of many that are looked at together.
 *
 * @returns The node; undefined when there is none of that name.
 */
export function treeNodeOf(view: View, name: string): TreeNode | undefined {
  const tree = view.tree();
  if (tree !== latest.tree) latest = { tree, nodes: nodesByName(tree, new Map()) };
  return latest.nodes.get(name);
}

/** A tree is asked about many of its nodes. */
let latest: { readonly tree: TreeNode | undefined; readonly nodes: ReadonlyMap<string, TreeNode> } =
  { tree: undefined, nodes: new Map() };

function nodesByName(node: TreeNode, nodes: Map<string, TreeNode>): Map<string, TreeNode> {
  if (!nodes.has(node.name)) nodes.set(node.name, node);
  if (node.kind === "supervisor") for (const child of node.children) nodesByName(child, nodes);
  return nodes;
}

/** @returns The supervisor of that name in the running tree. */
export function supervisorNodeOf(view: View, name: string): SupervisorNode | undefined {
  const node = nodeOf(view, name);
  return node?.kind === "supervisor" ? node : undefined;
}

/** @returns Whether a supervisor runs and has nothing to wait for: all of its children have started or ended. */
export function isSettled(view: View, supervisor: PlannedSupervisor): boolean {
  if (supervisorNodeOf(view, supervisor.name)?.status !== "RUNNING") return false;
  for (const { kind, name } of view.openRequests) {
    if (kind === "suspend" || kind === "resume") continue;
    if (supervisor.children.some((child) => isWithin(view, name, child.name))) return false;
  }
  return supervisor.children.every((child) => {
    const node = nodeOf(view, child.name);
    if (node === undefined) return true;
    const names = [...agentNames(child), ...memberNames(node)];
    const isToEnd = names.some(
      (name) => view.lives.get(name)?.isToStop === true && !isDown(view, name),
    );
    if (isToEnd) return false;
    if (node.kind === "supervisor") {
      if (node.status === "INITIALIZING" || node.status === "STOPPING") return false;
      return node.status === "RUNNING" || names.every((name) => isAgentOver(view, name));
    }
    return isAgentSettled(view, child.name);
  });
}

/**
 * Says whether a supervisor has nothing to wait for before it serves what one of its children needs.
 *
 * @param view What can be seen.
 * @param supervisor Its supervisor: a pool does not wait for other members.
 * @param child Its name.
 */
export function isSettledFor(view: View, supervisor: PlannedSupervisor, child: string): boolean {
  if (!isPool(supervisor)) return isSettled(view, supervisor);
  const status = supervisorNodeOf(view, supervisor.name)?.status;
  if (status !== "RUNNING" && status !== "SUSPENDED") return false;
  for (const { kind, name } of view.openRequests) {
    if (kind !== "suspend" && kind !== "resume" && isWithin(view, name, supervisor.name))
      return false;
  }
  return isAgentSettled(view, child);
}

function isAgentSettled(view: View, name: string): boolean {
  const life = view.lives.get(name);
  return isAgentOver(view, name) || (life?.phase === "running" && !life.isToStop);
}

function isAgentOver(view: View, name: string): boolean {
  const life = view.lives.get(name);
  return life === undefined || isSurelyOver(view, life);
}

/** The members of a pool, which no plan names. */
function memberNames(node: TreeNode): string[] {
  if (node.kind === "agent" || node.pool === undefined) return [];
  return node.children.map(({ name }) => name);
}

/** Deadlines are served with a resolution of 10 ms: a crashed one may end that much later than its time-out says. */
const resolutionMs = 20;

function isSurelyOver(view: View, life: Life): boolean {
  if (!view.isOver(life)) return false;
  if (life.phase === "over" || life.crashedAtMs === undefined) return true;
  return view.atMs >= life.crashedAtMs + life.shutdownTimeoutMs + resolutionMs;
}

/** @returns The agents at a node and below it, with the keys and the members of pools that were there. */
export function agentsBelow(view: View, node: PlannedNode): string[] {
  const names = agentNames(node);
  if (!isSupervisor(node)) return names;
  return [
    ...names,
    ...[...view.plan.keyed, ...view.plan.pools].flatMap((each) =>
      isWithin(view, each.name, node.name) ? objectsOf(view, each) : [],
    ),
  ];
}

/** @returns What lives of the keys of a keyed agent, or of the members of a pool. */
export function livesOf(view: View, { name }: PlannedSupervisor): Life[] {
  const prefix = `${name}/`;
  const found: Life[] = [];
  for (const life of view.lives.values()) {
    if (life.name.startsWith(prefix) && !view.isOver(life)) found.push(life);
  }
  return found;
}

/** @returns Whether somebody has asked something of a node that is not done. */
export function isAskedFor(view: View, name: string): boolean {
  for (const request of view.openRequests) if (request.name === name) return true;
  return false;
}

/** Keys of a keyed agent, members of a pool. */
function objectsOf(view: View, { name }: PlannedNode): string[] {
  const prefix = `${name}/`;
  const found: string[] = [];
  for (const each of view.lives.keys()) if (each.startsWith(prefix)) found.push(each);
  return found;
}

/** @returns Whether no incarnation of a name lives. */
export function isDown(view: View, name: string): boolean {
  const life = view.lives.get(name);
  return life === undefined || view.isOver(life);
}

/** @returns Whether a node is another one or is below it, as keys are below their agent. */
export function isWithin(view: View, name: string, above: string): boolean {
  const { plan } = view;
  const first = plan.node(name) ?? plan.poolOf(name) ?? plan.keyedOf(name);
  for (let node = first; node !== undefined; node = node.parent) {
    if (node.name === above) return true;
  }
  return false;
}
