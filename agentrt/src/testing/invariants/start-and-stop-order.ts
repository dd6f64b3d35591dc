import type { Life, Request } from "../fact.ts";
import { agentNames, laterSiblings, supervisorNames, type PlannedNode } from "../tree-plan.ts";
import type { Invariant, View } from "../invariant.ts";
import { agentsBelow, isDown, isWithin, nodeOf, treeNodeOf } from "./supervisor-state.ts";

/** Children start left to right and stop right to left, one at a time. */
export function startAndStopOrder(): Invariant {
  return {
    name: "start-and-stop-order",
    onFact: (fact, view) => {
      if (fact.type === "created") return judgeStart(fact.life, view);
      return fact.type === "stopping" ? judgeStop(fact.life, view) : undefined;
    },
  };
}

function isAsked(view: View, kind: Request["kind"], name: string): boolean {
  return [...view.openRequests].some((each) => each.kind === kind && each.name === name);
}

function judgeStart({ name }: Life, view: View): string | undefined {
  const node = view.plan.node(name);
  if (node?.parent === undefined) return undefined;
  for (const sibling of node.parent.children) {
    const life = view.lives.get(sibling.name);
    if (sibling !== node && life?.phase === "starting" && !view.isOver(life) && !hasCrashed(life)) {
      return `"${name}" is started while "${sibling.name}" of the same supervisor is starting`;
    }
  }
  const isBoot = nodeOf(view, node.parent.name)?.status === "INITIALIZING";
  if (isAsked(view, "restart", name)) return undefined;
  if (node.parent.spec.limits.strategy === "ONE_FOR_ONE" && !isBoot) return undefined;
  const later = firstUp(laterSiblings(node), view);
  return later === undefined ? undefined : `"${name}" is started while "${later}" after it is up`;
}

function judgeStop(life: Life, view: View): string | undefined {
  if (hasCrashed(life) || life.hasStoppedItself) return undefined;
  if (isAsked(view, "stopAgent", life.name)) return undefined;
  let node = view.plan.node(life.name);
  for (;;) {
    if (node?.parent === undefined) return undefined;
    const later = firstUp(laterSiblings(node), view);
    if (later !== undefined) return `"${life.name}" is stopped before "${later}" after it`;
    // A supervisor that is stopped by the one above it: then the same holds there.
    node = node.parent;
    if (nodeOf(view, node.name)?.status !== "STOPPING") return undefined;
  }
}

function firstUp(nodes: readonly PlannedNode[], view: View): string | undefined {
  return nodes.flatMap((node) => agentsBelow(view, node)).find((name) => !isDown(view, name));
}

function hasCrashed(life: Life): boolean {
  return life.crashedAtMs !== undefined;
}

/** A new incarnation has a reason: its supervisor restarts it or starts again itself, or somebody asked for it. */
export function startsHaveReasons(): Invariant {
  /** Starts that were decided about and have not come yet: a restart and one above it may be decided about together. */
  const allowed = new Map<string, number>();
  const allow = (node: PlannedNode | undefined): void => {
    if (node === undefined) return;
    for (const name of agentNames(node)) allowed.set(name, (allowed.get(name) ?? 0) + 1);
  };
  const use = (name: string): boolean => {
    const count = allowed.get(name) ?? 0;
    if (count > 0) allowed.set(name, count - 1);
    return count > 0;
  };
  return {
    name: "starts-have-reasons",
    onFact: (fact, view) => {
      const { plan } = view;
      if (fact.type === "event" && fact.event.type === "supervisor.restart") {
        for (const child of fact.event.children) allow(plan.node(child));
      }
      if (fact.type !== "created") return undefined;
      const { name, number } = fact.life;
      const isAllowed = use(name) || number === 1 || plan.node(name) === undefined;
      return isAllowed || isRevived(view, name)
        ? undefined
        : `"${name}" is started and nobody decided so`;
    },
  };
}

/** Whether it starts because somebody asked for a restart: those above that were given up start again with all below. */
function isRevived(view: View, name: string): boolean {
  for (const request of view.openRequests) {
    if (request.kind !== "restart") continue;
    if (request.name === name) return true;
    let above = view.plan.parentOf(request.name);
    for (; above?.parent !== undefined; above = above.parent) {
      if (isWithin(view, name, above.name)) return true;
    }
  }
  return false;
}

/** What a supervisor says of itself fits its children. */
export function statusesFit(): Invariant {
  return {
    name: "statuses-fit",
    onQuiet: (view) => {
      if (!view.isChanged) return undefined;
      for (const name of supervisorNames(view.plan.root)) {
        const status = treeNodeOf(view, name)?.status;
        const planned = view.plan.supervisorOf(name);
        if (planned === undefined || (status !== "STOPPED" && status !== "RUNNING")) continue;
        for (const agent of agentsBelow(view, planned)) {
          const life = view.lives.get(agent);
          const agentStatus = treeNodeOf(view, agent)?.status;
          if (status === "STOPPED" && life !== undefined && !view.isOver(life)) {
            return `"${name}" is STOPPED while "${agent}" below it is ${life.phase}`;
          }
          // Keys are not among the nodes of the tree.
          if (view.plan.parentOf(agent) === undefined) continue;
          const isRunning = life?.phase === "running" && !hasCrashed(life);
          const saysRunning = agentStatus === "RUNNING" || agentStatus === "SUSPENDED";
          if (isRunning !== saysRunning) {
            return `"${agent}" says ${agentStatus} while its incarnation is ${life?.phase ?? "not there"}`;
          }
        }
      }
      return undefined;
    },
  };
}
