import type { Life, Sent } from "../fact.ts";
import type { Invariant, View } from "../invariant.ts";
import type { PlannedSupervisor } from "../tree-plan.ts";
import { isAskedFor, livesOf, nodeOf } from "./supervisor-state.ts";

/** No more keys have an object than there are places. */
export function residentsLimited(): Invariant {
  return {
    name: "residents-limited",
    onFact: (fact, view) => {
      if (fact.type !== "created") return undefined;
      const keyed = view.plan.keyedOf(fact.life.name);
      const most = keyed?.spec.keyed?.residentCountMax;
      if (keyed === undefined || most === undefined) return undefined;
      // The one that is created is not among them yet.
      const others = livesOf(view, keyed).filter(({ name }) => name !== fact.life.name);
      if (others.length < most) return undefined;
      return `"${fact.life.name}" is started while ${others.length} keys have an object, and ${most} may`;
    },
  };
}

/** How long a key may wait for a place that another does not need, in virtual milliseconds. */
const admissionMsMax = 200;

/** A key whose messages wait gets a place when another is idle, and a key that was left by all is passivated. */
export function keysAreServed(): Invariant {
  /** Since when nothing is to be done for a key that has an object. */
  const restingSince = new Map<Life, number>();
  /** Since when a key has been about to go. */
  const goingSince = new Map<Life, number>();
  /** When one that had not taken long yet was about to go last. */
  let goingAtMs = 0;
  return {
    name: "keys-are-served",
    onFact: (fact) => {
      if (fact.type === "handling") restingSince.delete(fact.life);
      return undefined;
    },
    onQuiet: (view) => {
      for (const keyed of view.plan.keyed) {
        if (view.stopAskedAtMs !== undefined || nodeOf(view, keyed.name)?.status !== "RUNNING") {
          restingSince.clear();
          goingSince.clear();
          continue;
        }
        const lives = livesOf(view, keyed);
        const resting = lives.filter((life) => isResting(life, view));
        for (const life of lives) {
          if (!resting.includes(life)) restingSince.delete(life);
          else if (!restingSince.has(life)) restingSince.set(life, view.atMs);
        }
        // One that is about to go makes room as soon as its state is saved, unless that takes long.
        for (const life of lives) {
          if (!isGoing(life, view)) goingSince.delete(life);
          else if (!goingSince.has(life)) goingSince.set(life, view.atMs);
          const sinceMs = goingSince.get(life) ?? Number.NEGATIVE_INFINITY;
          if (view.atMs - sinceMs <= admissionMsMax) goingAtMs = view.atMs;
        }
        const isStill = view.atMs - goingAtMs > admissionMsMax;
        const broken = leaked(resting, keyed) ?? (isStill ? starving(resting, keyed) : undefined);
        if (broken !== undefined) return broken;

        function leaked(of: readonly Life[], { spec }: PlannedSupervisor): string | undefined {
          const idleMs = spec.keyed?.idleMs ?? Number.POSITIVE_INFINITY;
          for (const life of of) {
            // An idle key is looked at once in its time, so it may stay for twice as long.
            const sinceMs = restingSince.get(life) ?? view.atMs;
            if (view.atMs - sinceMs <= 2 * idleMs + admissionMsMax) continue;
            return `"${life.name}" has nothing to do since ${Math.round(view.atMs - sinceMs)} ms, and is still there`;
          }
          return undefined;
        }

        function starving(of: readonly Life[], node: PlannedSupervisor): string | undefined {
          const idle = of.find(
            (life) => view.atMs - (restingSince.get(life) ?? view.atMs) > admissionMsMax,
          );
          const waiting = idle === undefined ? undefined : waitingKey(view, node);
          if (idle === undefined || waiting === undefined) return undefined;
          return `"${waiting.agent}" waits for a place, and "${idle.name}" has nothing to do`;
        }
      }
      return undefined;
    },
  };
}

/** A message whose key has waited long for its object. */
function waitingKey(view: View, keyed: PlannedSupervisor): Sent | undefined {
  for (const sent of view.waiting) {
    const { agent, arrivedAtMs = Number.POSITIVE_INFINITY } = sent;
    if (view.plan.keyedOf(agent) !== keyed || view.atMs - arrivedAtMs <= admissionMsMax) continue;
    // What it does not begin needs no place.
    if (sent.message.priority === 0 && view.isSuspended(agent)) continue;
    const life = view.lives.get(agent);
    // One that crashed has its place, and waits for its restart; one that has a place is busy or suspended.
    if (life === undefined || (life.phase === "over" && life.crashedAtMs === undefined)) {
      return sent;
    }
  }
  return undefined;
}

function isResting(life: Life, view: View): boolean {
  if (life.phase !== "running" || life.crashedAtMs !== undefined) return false;
  if (life.handling.size > 0 || life.deferred.size > 0 || life.openCount > 0) return false;
  if (life.pendingHook !== undefined || life.hasPassivated || view.isSuspended(life.name)) {
    return false;
  }
  // It may wait for the store that notes its suspension.
  if (isAskedFor(view, life.name)) return false;
  for (const call of view.openCalls) if (call.caller === life) return false;
  for (const { agent } of view.waiting) if (agent === life.name) return false;
  return true;
}

function isGoing({ name, phase, hasPassivated, crashedAtMs }: Life, view: View): boolean {
  const isLeaving = hasPassivated || phase === "ending" || crashedAtMs !== undefined;
  return isLeaving || isAskedFor(view, name);
}

/** A key that was passivated comes back with the state that it had at its end. */
export function keysKeepState(): Invariant {
  const ends = new Map<string, { readonly text: string; readonly failureCount: number }>();
  /** Failures of the store when it began to go. */
  const failures = new Map<string, number>();
  return {
    name: "keys-keep-state",
    onFact: (fact, view) => {
      if (!("life" in fact) || view.plan.keyedOf(fact.life.name) === undefined) return undefined;
      const { life } = fact;
      if (fact.type === "passivating") failures.set(life.name, view.savingFailureCount());
      // Of one that was not waited for nothing is saved.
      if (fact.type === "stopping" && life.crashedAtMs === undefined && !view.isOver(life)) {
        const text = JSON.stringify(life.agent.state);
        const before = failures.get(life.name) ?? -1;
        ends.set(life.name, { text, failureCount: view.savingFailureCount() - before });
      }
      if (fact.type !== "starting") return undefined;
      const end = ends.get(life.name);
      ends.delete(life.name);
      // What the store did not take is lost, and logged.
      if (end === undefined || end.failureCount > 0) return undefined;
      const found = JSON.stringify(life.agent.state);
      if (found === end.text || (end.text === "{}" && found === life.initialState))
        return undefined;
      return `"${life.name}" was passivated with ${end.text.slice(0, 100)} and starts with ${found.slice(0, 100)}`;
    },
  };
}
