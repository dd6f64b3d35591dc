import { agentErrors, type TreeNode } from "../../core/index.ts";
import type { Fact, Sent } from "../fact.ts";
import type { Invariant, View } from "../invariant.ts";
import { describe } from "./replies.ts";
import { isWithin, supervisorNodeOf } from "./supervisor-state.ts";

/** A stop with a grace answers what was accepted before: within it no call fails because its agent has stopped. */
export function drainAnswers(): Invariant {
  /** Nodes that the root has given up, with all below. */
  const givenUp = new Set<string>();
  /** Supervisors that have failed upward: what is below them is stopped, and starts again. */
  const failed = new Set<string>();
  /** Messages that wait for somebody to resume their agent: a key is gone when its caller hears of it. */
  let held: ReadonlySet<Sent> = new Set();
  return {
    name: "drain-answers",
    onQuiet: (view) => {
      if (view.stopAskedAtMs !== undefined) held = heldBack(view, givenUp);
      return undefined;
    },
    onFact: (fact, view) => {
      if (fact.type === "asked" && fact.request.kind === "stop") held = heldBack(view, givenUp);
      for (const names of [givenUp, failed]) forgetStarted(fact, names, view);
      if (fact.type === "event" && fact.event.type === "supervisor.exhausted") {
        if (fact.event.isEscalated) failed.add(fact.event.supervisor);
        else givenUp.add(fact.event.child);
      }
      if (fact.type !== "refused" || view.stopAskedAtMs === undefined) return undefined;
      const { call, error } = fact;
      if (!(error instanceof agentErrors.STOPPED)) return undefined;
      const graceEndMs = view.stopAskedAtMs + view.graceMs;
      const { arrivedAtMs = Number.POSITIVE_INFINITY, agent = "" } = call.sent ?? {};
      if (arrivedAtMs >= view.stopAskedAtMs || view.atMs >= graceEndMs) return undefined;
      const { caller, sent } = call;
      if (sent !== undefined && held.has(sent)) return undefined;
      // A call ends with its caller.
      if (caller !== undefined && (view.isOver(caller) || caller.crashedAtMs !== undefined)) {
        return undefined;
      }
      // The member that has it at hand, when it is for a pool.
      const names = [agent, call.sent?.life?.name ?? agent];
      if (names.some((name) => isDown(name, view) || isBelow(name, givenUp, view)))
        return undefined;
      if (isWithoutMembers(agent, givenUp, view)) return undefined;
      // A stream may be without an end: whoever is stopped does not wait for it.
      const isToStop = call.sent?.life?.isToStop === true || isBelow(agent, failed, view);
      if (call.isStream && isToStop) return undefined;
      for (const { kind, name } of view.openRequests) {
        const isOfIt = names.some((each) => each === name || isWithin(view, each, name));
        if (kind === "stopAgent" && isOfIt) return undefined;
      }
      return `${describe(call)} was accepted before the stop, and is not answered within its grace`;
    },
  };
}

function forgetStarted(fact: Fact, names: Set<string>, view: View): void {
  if (fact.type !== "created") return;
  for (const name of names) if (isWithin(view, fact.life.name, name)) names.delete(name);
}

function isBelow(agent: string, names: ReadonlySet<string>, view: View): boolean {
  return [...names].some((name) => isWithin(view, agent, name));
}

/**
 * A stop does not wait for a person: nor where all members that a pool may have wait for one, except those that somebody
 * has stopped.
 */
function heldBack(view: View, givenUp: ReadonlySet<string>): ReadonlySet<Sent> {
  const isHeld = (name: string): boolean => {
    if (view.isSuspended(name)) return true;
    if (view.plan.supervisorOf(name)?.spec.pool === undefined) return false;
    const { pool, status, children = [] } = supervisorNodeOf(view, name) ?? {};
    if (pool === undefined || status === "STOPPING") return false;
    if (children.length < pool.memberCountMax) return false;
    return children.every((member) => view.isSuspended(member.name) || isGone(member, givenUp));
  };
  const found = new Set<Sent>();
  const known = new Map<string, boolean>();
  for (const sent of view.waiting) {
    const { agent } = sent;
    const isHeldNow = known.get(agent) ?? isHeld(agent);
    known.set(agent, isHeldNow);
    if (isHeldNow) found.add(sent);
  }
  return found;
}

/** Whether a member was stopped or given up, or has ended by itself: one that crashed comes back. */
function isGone({ name, status }: TreeNode, givenUp: ReadonlySet<string>): boolean {
  return status === "STOPPED" || (status === "CRASHED" && givenUp.has(name));
}

/** One that has crashed or ended itself, and one that waits for somebody, are not waited for. */
function isDown(agent: string, view: View): boolean {
  const life = view.lives.get(agent);
  if (life?.crashedAtMs !== undefined || life?.hasStoppedItself === true) return true;
  return view.isSuspended(agent);
}

/** A pool whose members are all gone. */
function isWithoutMembers(name: string, givenUp: ReadonlySet<string>, view: View): boolean {
  const node = supervisorNodeOf(view, name);
  if (node?.pool === undefined) return false;
  return node.children.every((member) => isGone(member, givenUp));
}
