import { isFreeRestart, type RuntimeEvent } from "../../core/index.ts";
import type { Invariant, View } from "../invariant.ts";
import { supervisorNodeOf } from "./supervisor-state.ts";

interface Window {
  /** The life of the supervisor in which they were counted: each begins again. */
  restartCount: number;
  crashTimesMs: number[];
}

/** A supervisor restarts no more than its budget allows within its window, and gives up no earlier. */
export function restartBudget(): Invariant {
  const windows = new Map<string, Window>();
  /** Supervisors with crashes of suspended agents, which count by their own rules. */
  const unjudged = new Set<string>();
  const countOf = (supervisor: string, child: string, view: View): number | undefined => {
    const spec = view.plan.supervisorOf(supervisor)?.spec;
    if (spec === undefined) return undefined;
    const { limits } = spec;
    const restartCount = supervisorNodeOf(view, supervisor)?.restartCount ?? 0;
    // Each key has a budget of its own.
    const name = spec.keyed === undefined ? supervisor : child;
    let window = windows.get(name);
    if (window === undefined || window.restartCount !== restartCount) {
      window = { restartCount, crashTimesMs: [] };
      windows.set(name, window);
    }
    window.crashTimesMs.push(view.atMs);
    const oldestMs = view.atMs - limits.restartWindowMs;
    window.crashTimesMs = window.crashTimesMs.filter((atMs) => atMs > oldestMs);
    return Math.max(1, window.crashTimesMs.length);
  };
  const judge = (event: RuntimeEvent, view: View): string | undefined => {
    if (event.type !== "supervisor.crash" && event.type !== "supervisor.exhausted")
      return undefined;
    const { supervisor, child, error } = event;
    // Somebody asked for it: it costs nothing.
    if (isFreeRestart(error)) return undefined;
    // Who is spawned has a budget of its own, which begins anew when its name is spawned again.
    if (view.plan.supervisorOf(supervisor)?.spec.dynamic !== undefined) return undefined;
    const isKeyed = view.plan.keyedOf(supervisor) !== undefined;
    const budget = isKeyed ? child : supervisor;
    if (view.isSuspended(child)) unjudged.add(budget);
    if (unjudged.has(budget)) return undefined;
    const limits = view.plan.supervisorOf(supervisor)?.spec.limits;
    const count = countOf(supervisor, child, view);
    if (event.type === "supervisor.exhausted") windows.delete(child);
    if (limits === undefined || count === undefined) return undefined;
    const { restartCountMax } = limits;
    if (event.type === "supervisor.crash" && count > restartCountMax) {
      return `"${supervisor}" restarts "${child}" after ${count} crashes in its window, and allows ${restartCountMax}`;
    }
    if (event.type === "supervisor.exhausted" && count <= restartCountMax) {
      return `"${supervisor}" gives "${child}" up after ${count} crashes in its window, and allows ${restartCountMax}`;
    }
    return undefined;
  };
  return {
    name: "restart-budget",
    onFact: (fact, view) => (fact.type === "event" ? judge(fact.event, view) : undefined),
  };
}
