import { ModelUses, otherModels, type UsesByModel } from "../../core/index.ts";
import { sumCounters } from "../figures/index.ts";
import type { RuntimeSnapshot } from "../../runtime/index.ts";

/** Counters of one agent. */
export type Counters = RuntimeSnapshot["agents"][string];

/** Most agents that have series with their names; what the others count is added up under `otherAgents`. */
export const agentCountMax = 1000;
/** The name under which the others are. No agent has it. */
export const otherAgents = "_other";

/**
 * Bounds the agents of the pictures of one runtime, from one to the next. An agent keeps its series while it is there: a place
 * that is free again goes to one that was not seen before. So the sum of the others only grows: what those of them counted
 * that are gone stays in it.
 */
export class AgentSeries {
  readonly #countMax: number;
  /** Agents that have series with their names. */
  readonly #named = new Set<string>();
  /** What each of the others had counted when it was looked at last. */
  #others: ReadonlyMap<string, Counters> = new Map();
  /** What those of them had counted that are gone, or began again. */
  #gone: Counters | undefined;

  /** @param countMax Most agents that have series with their names. */
  constructor(countMax: number = agentCountMax) {
    this.#countMax = countMax;
  }

  /**
   * @param snapshot The counters now.
   * @returns Names and counters, at most `countMax` and one.
   */
  of({ agents, models }: RuntimeSnapshot): [string, Counters][] {
    for (const name of this.#named) if (!Object.hasOwn(agents, name)) this.#named.delete(name);
    const named: [string, Counters][] = [];
    const others = new Map<string, Counters>();
    for (const [name, counters] of Object.entries(agents)) {
      const hasPlace = this.#named.size < this.#countMax && !this.#others.has(name);
      if (hasPlace) this.#named.add(name);
      if (this.#named.has(name)) named.push([name, counters]);
      else others.set(name, counters);
    }
    this.#keepGone(others, models);
    this.#others = others;
    const summed =
      this.#gone === undefined ? [...others.values()] : [this.#gone, ...others.values()];
    return summed.length === 0 ? named : [...named, [otherAgents, sumOfAll(summed, models)]];
  }

  #keepGone(now: ReadonlyMap<string, Counters>, models: UsesByModel): void {
    const gone: Counters[] = this.#gone === undefined ? [] : [this.#gone];
    for (const [name, before] of this.#others) {
      const after = now.get(name);
      if (after === undefined || isFallen(before, after)) gone.push(before);
    }
    if (gone.length > 0) this.#gone = sumOfAll(gone, models);
  }
}

/** True where an agent of the same name is another one: it began to count again. */
function isFallen(before: Counters, after: Counters): boolean {
  return (
    after.messagesHandled < before.messagesHandled ||
    after.messagesSent < before.messagesSent ||
    after.errors < before.errors ||
    after.restarts < before.restarts ||
    after.latencyCount < before.latencyCount ||
    after.tokensIn < before.tokensIn
  );
}

function sumOfAll(counters: readonly Counters[], models: UsesByModel): Counters {
  const [first, ...rest] = counters as [Counters, ...Counters[]];
  return { ...rest.reduce(sumCounters, first), byModel: sumUses(counters, models) };
}

/** Models of these agents have their own series where the runtime tells them apart. */
function sumUses(counters: readonly Counters[], named: UsesByModel): UsesByModel {
  const sum = new ModelUses(Number.POSITIVE_INFINITY);
  for (const { byModel } of counters) {
    for (const [model, use] of Object.entries(byModel))
      sum.addUse(Object.hasOwn(named, model) ? model : otherModels, use);
  }
  return sum.toValue();
}
