import type { RuntimeEvent } from "../../core/index.ts";
import type { Request } from "../fact.ts";
import type { Invariant, View } from "../invariant.ts";
import { isDown, isSettledFor, nodeOf } from "./supervisor-state.ts";

interface Crash {
  readonly error: unknown;
  /** True when the child was to be stopped anyway: then nothing needs to be decided. */
  isCovered: boolean;
}

/** Each crash reaches its supervisor, which decides about it once. */
export function crashesDecided(): Invariant {
  /** Crashes about which nobody has decided, by child. */
  const undecided = new Map<string, Crash>();
  return {
    name: "crashes-decided",
    onFact: (fact, view) => {
      if (fact.type === "created") undecided.delete(fact.life.name);
      if (fact.type === "asked" && fact.request.kind === "stopAgent") {
        const crash = undecided.get(fact.request.name);
        if (crash !== undefined) crash.isCovered = true;
      }
      if (fact.type !== "event") return undefined;
      const { event } = fact;
      if (event.type === "agent.crashed") {
        const isToStop = view.lives.get(event.name)?.isToStop === true;
        const isCovered = isToStop || isStopAsked(view, event.name);
        undecided.set(event.name, { error: event.error, isCovered });
      }
      // A restart of several that begins before a crash among them was looked at covers that crash.
      if (event.type === "supervisor.restart") {
        for (const child of event.children) {
          const ending = undecided.get(child);
          if (ending !== undefined) ending.isCovered = true;
        }
      }
      if (!isDecision(event)) return undefined;
      const isMember = view.plan.poolOf(event.child) !== undefined;
      const isAgent = isMember || view.plan.node(event.child)?.spec.kind === "agent";
      const crash = undecided.get(event.child);
      undecided.delete(event.child);
      if (event.type === "supervisor.exhausted" && event.isEscalated) {
        const isCovered = isStopAsked(view, event.supervisor);
        undecided.set(event.supervisor, { error: event.error, isCovered });
      }
      if (!isAgent) return undefined;
      if (crash === undefined)
        return `"${event.supervisor}" decides about a crash of "${event.child}" that is not there`;
      if (crash.error !== event.error) {
        return `"${event.supervisor}" decides about another crash of "${event.child}" than the latest`;
      }
      return undefined;
    },
    onQuiet: (view) => {
      for (const [name, crash] of undecided) {
        if (crash.isCovered) continue;
        const parent = view.plan.parentOf(name);
        if (parent === undefined || isEnding(view, parent.name)) {
          undecided.delete(name);
        } else if (isSettledFor(view, parent, name)) {
          // A supervisor may have been stopped or started since by the one above it.
          if (nodeOf(view, name)?.status !== "CRASHED") undecided.delete(name);
          else return `the crash of "${name}" never reaches "${parent.name}"`;
        }
      }
      return undefined;
    },
  };
}

/** What is restarted comes back when its backoff has ended. */
export function restartsHappen(): Invariant {
  /** When the restart of a child is due, by child. */
  const due = new Map<string, { readonly supervisor: string; readonly atMs: number }>();
  const dropAll = (supervisor: string): void => {
    for (const [child, restart] of due) if (restart.supervisor === supervisor) due.delete(child);
  };
  const onEvent = (event: RuntimeEvent, view: View): void => {
    if (event.type === "supervisor.crash" && !isStopAsked(view, event.child)) {
      // Another restart of the same supervisor may cover this one.
      const others = [...due.values()].filter((each) => each.supervisor === event.supervisor);
      const atMs = Math.max(view.atMs + event.delayMs, ...others.map((each) => each.atMs));
      due.set(event.child, { supervisor: event.supervisor, atMs });
    }
    if (event.type === "supervisor.restart") {
      for (const child of [event.child, ...event.children]) {
        due.delete(child);
        // A supervisor that starts again starts all of its children, and a pool as many as it always has.
        dropAll(child);
      }
    }
    if (event.type === "supervisor.exhausted") {
      if (event.isEscalated) dropAll(event.supervisor);
      else due.delete(event.child);
    }
  };
  return {
    name: "restarts-happen",
    onFact: (fact, view) => {
      if (fact.type === "created") due.delete(fact.life.name);
      if (fact.type === "asked" && isEnd(fact.request)) due.delete(fact.request.name);
      if (fact.type === "event") onEvent(fact.event, view);
      return undefined;
    },
    onQuiet: (view) => {
      for (const [child, restart] of due) {
        const parent = view.plan.parentOf(child);
        if (parent === undefined || isEnding(view, parent.name)) {
          due.delete(child);
        } else if (view.atMs > restart.atMs + 1 && isSettledFor(view, parent, child)) {
          const isSupervisorUp = nodeOf(view, child)?.status === "RUNNING";
          if (isSupervisorUp || !isDown(view, child)) due.delete(child);
          else return `"${child}" should have been restarted by "${parent.name}" and was not`;
        }
      }
      return undefined;
    },
  };
}

function isDecision(
  event: RuntimeEvent,
): event is RuntimeEvent & { type: "supervisor.crash" | "supervisor.exhausted" } {
  return event.type === "supervisor.crash" || event.type === "supervisor.exhausted";
}

/** Whether a supervisor ends or has ended: what its children do no longer matters. */
function isEnding(view: View, name: string): boolean {
  const status = nodeOf(view, name)?.status;
  return status !== "RUNNING" && status !== "INITIALIZING" && status !== "SUSPENDED";
}

function isEnd({ kind }: Request): boolean {
  return kind !== "suspend" && kind !== "resume";
}

function isStopAsked(view: View, name: string): boolean {
  return [...view.openRequests].some((each) => each.kind === "stopAgent" && each.name === name);
}
