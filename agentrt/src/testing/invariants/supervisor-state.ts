import type { SupervisorNode, TreeNode } from "../../core/index.ts";
import { agentNames, type PlannedSupervisor } from "../tree-plan.ts";
import type { View } from "./invariant.ts";

/**
 * Finds a node of the running tree.
 *
 * @returns The node; undefined when there is none of that name.
 */
export function nodeOf(view: View, name: string): TreeNode | undefined {
  const find = (node: TreeNode): TreeNode | undefined => {
    if (node.name === name) return node;
    if (!("children" in node)) return undefined;
    for (const child of node.children) {
      const found = find(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(view.tree());
}

/** @returns The supervisor of that name in the running tree. */
export function supervisorNodeOf(view: View, name: string): SupervisorNode | undefined {
  const node = nodeOf(view, name);
  return node?.kind === "supervisor" ? node : undefined;
}

/** @returns Whether a supervisor runs and has nothing to wait for: all of its children have started or ended. */
export function isSettled(view: View, supervisor: PlannedSupervisor): boolean {
  if (supervisorNodeOf(view, supervisor.name)?.status !== "RUNNING") return false;
  return supervisor.children.every((child) => {
    const node = nodeOf(view, child.name);
    if (node === undefined) return true;
    if (node.kind === "supervisor") {
      if (node.status === "INITIALIZING" || node.status === "STOPPING") return false;
      return node.status === "RUNNING" || agentNames(child).every((name) => isDown(view, name));
    }
    const life = view.lives.get(child.name);
    return life === undefined || life.phase === "running" || view.isOver(life);
  });
}

/** @returns Whether no incarnation of a name lives. */
export function isDown(view: View, name: string): boolean {
  const life = view.lives.get(name);
  return life === undefined || view.isOver(life);
}
