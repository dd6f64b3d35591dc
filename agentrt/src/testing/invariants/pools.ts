import type { Life, Sent } from "../fact.ts";
import type { Invariant, View } from "../invariant.ts";
import type { PlannedSupervisor } from "../tree-plan.ts";
import { isWantedBy } from "./cancellation.ts";
import { isAskedFor, isDown, livesOf, supervisorNodeOf } from "./supervisor-state.ts";

/** Deadlines of a pool are served with the resolution of the timer wheel, and a member that was called needs its turn. */
const slackMs = 100;

/** A pool has no fewer members than its minimum and no more than its maximum; those that somebody stopped are among them. */
export function poolMembersLimited(): Invariant {
  return {
    name: "pool-members-limited",
    onFact: (fact, view) => {
      if (fact.type !== "created") return undefined;
      const { name } = fact.life;
      const pool = view.plan.poolOf(name);
      if (pool === undefined) return undefined;
      const { memberCountMax } = limitsOf(pool);
      const others = livesOf(view, pool).filter((life) => life.name !== name);
      if (others.length < memberCountMax) return undefined;
      return `"${name}" is started while ${others.length} members are there, and ${memberCountMax} may`;
    },
    onQuiet: (view) => {
      for (const pool of view.plan.pools) {
        const node = supervisorNodeOf(view, pool.name);
        if (node === undefined || !isServing(node.status)) continue;
        const { length } = node.children;
        const { memberCountMin, memberCountMax } = limitsOf(pool);
        if (length >= memberCountMin && length <= memberCountMax) continue;
        return `"${pool.name}" has ${length} members, and may have ${memberCountMin} to ${memberCountMax}`;
      }
      return undefined;
    },
  };
}

/** No message waits for a pool while a member is free. */
export function poolsServe(): Invariant {
  /** Pools that have handed out a message: before, one may not know yet whether it is suspended. */
  const begun = new Set<string>();
  return {
    name: "pools-serve",
    onFact: (fact, view) => {
      noteBegun(fact.type === "handling" ? fact.sent : undefined, begun, view);
      return undefined;
    },
    onQuiet: (view) => {
      for (const pool of view.plan.pools) {
        if (!isJudged(view, pool, begun)) continue;
        const waiting = waitingFor(view, pool)[0];
        if (waiting === undefined) continue;
        const free = livesOf(view, pool).find((life) => isFree(life, view));
        if (free === undefined) continue;
        return `message ${waiting.position} of ${waiting.way} waits, and "${free.name}" has nothing to do`;
      }
      return undefined;
    },
  };
}

/** A pool grows when messages wait longer than they should, and a member that nobody needs goes. */
export function poolsScale(): Invariant {
  const begun = new Set<string>();
  /** Since when a member has had nothing to do. */
  const freeSince = new Map<Life, number>();
  /** Since when a pool has had fewer members than it should, or more. */
  const wrongSince = new Map<string, number>();
  return {
    name: "pools-scale",
    onFact: (fact, view) => {
      noteBegun(fact.type === "handling" ? fact.sent : undefined, begun, view);
      if (fact.type === "handling") freeSince.delete(fact.life);
      // A member may have been called for it.
      if (fact.type === "dropped") freeSince.clear();
      return undefined;
    },
    onQuiet: (view) => {
      for (const pool of view.plan.pools) {
        const lives = livesOf(view, pool);
        for (const life of lives) {
          if (!isFree(life, view)) freeSince.delete(life);
          else if (!freeSince.has(life)) freeSince.set(life, view.atMs);
        }
        const isCalm = view.stopAskedAtMs === undefined && isJudged(view, pool, begun);
        const wrong = isCalm ? (tooFew(view, pool) ?? tooMany(view, pool)) : undefined;
        if (wrong === undefined) wrongSince.delete(pool.name);
        else if (!wrongSince.has(pool.name)) wrongSince.set(pool.name, view.atMs);
        const sinceMs = wrongSince.get(pool.name) ?? view.atMs;
        if (view.atMs > sinceMs + slackMs) return wrong;
      }
      return undefined;
    },
  };

  function tooMany(view: View, pool: PlannedSupervisor): string | undefined {
    const { memberCountMin, idleMs } = limitsOf(pool);
    const serving = livesOf(view, pool).filter(
      (life) => isRunning(life) && !isHeld(view, life.name),
    );
    if (serving.length <= memberCountMin) return undefined;
    for (const { name, ...life } of serving) {
      const sinceMs = freeSince.get(view.lives.get(name) as Life);
      if (sinceMs === undefined || life.openCount > 0) continue;
      if (view.atMs - sinceMs > idleMs) {
        return `"${name}" has nothing to do since ${Math.round(view.atMs - sinceMs)} ms, and is still there`;
      }
    }
    return undefined;
  }
}

function tooFew(view: View, pool: PlannedSupervisor): string | undefined {
  const { memberCountMax, scaleAfterMs } = limitsOf(pool);
  const children = supervisorNodeOf(view, pool.name)?.children ?? [];
  if (children.length >= memberCountMax) return undefined;
  const late = waitingFor(view, pool).filter(
    ({ arrivedAtMs = view.atMs }) => view.atMs - arrivedAtMs > scaleAfterMs,
  );
  // A member that is on its way counts for one of them, also while one whose start has failed is still ending.
  const coming = children.filter(({ name, status }) => {
    const isEnding = status === "STOPPING" || (status === "CRASHED" && !isDown(view, name));
    return isEnding || status === "INITIALIZING";
  });
  if (late.length <= coming.length) return undefined;
  return `${late.length} messages wait for "${pool.name}" for longer than ${scaleAfterMs} ms, and ${children.length} of ${memberCountMax} members are there`;
}

function limitsOf({ name, spec }: PlannedSupervisor) {
  if (spec.pool === undefined) throw new TypeError(`"${name}" is not a pool`);
  return spec.pool;
}

function isServing(status: string): boolean {
  return status === "RUNNING" || status === "SUSPENDED";
}

function noteBegun(sent: Sent | undefined, begun: Set<string>, view: View): void {
  if (sent === undefined || sent.message.priority > 0) return;
  if (view.plan.supervisorOf(sent.agent)?.spec.pool !== undefined) begun.add(sent.agent);
}

function isJudged(view: View, pool: PlannedSupervisor, begun: ReadonlySet<string>): boolean {
  const isUp = supervisorNodeOf(view, pool.name)?.status === "RUNNING";
  return isUp && begun.has(pool.name) && !isHeld(view, pool.name);
}

/** Whether somebody has suspended it, or asks for that, or for its end. */
function isHeld(view: View, name: string): boolean {
  return view.isSuspended(name) || isAskedFor(view, name);
}

function isRunning({ phase, crashedAtMs, isToStop, hasStoppedItself }: Life): boolean {
  return phase === "running" && crashedAtMs === undefined && !isToStop && !hasStoppedItself;
}

function isFree(life: Life, view: View): boolean {
  if (!isRunning(life) || life.handling.size > 0 || life.pendingHook !== undefined) return false;
  return !isHeld(view, life.name) && !isDown(view, life.name);
}

/** The messages that wait in a pool and that somebody wants. */
function waitingFor(view: View, { name }: PlannedSupervisor): Sent[] {
  const found: Sent[] = [];
  for (const sent of view.waiting) {
    const hasArrived = sent.agent === name && sent.arrivedAtMs !== undefined;
    if (hasArrived && isWantedBy(sent, view)) found.push(sent);
  }
  return found;
}
