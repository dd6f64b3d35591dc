import {
  Histogram,
  type HistogramValue,
  ModelUses,
  otherModels,
  type UsesByModel,
} from "../../core/index.ts";
import type { RuntimeSnapshot } from "../../runtime/index.ts";

/** Counters of one agent. */
export type Counters = RuntimeSnapshot["agents"][string];

/** Most agents that have series of their own names; what the others count is added up under `otherAgents`. */
export const agentCountMax = 1000;
/** The name under which the others are. No agent has it. */
export const otherAgents = "_other";

/**
 * Bounds the agents of a picture, the first ones in the order of the tree keep their names.
 *
 * @param snapshot The counters.
 * @returns Names and counters, at most `agentCountMax` and one.
 */
export function boundedAgents({ agents, models }: RuntimeSnapshot): [string, Counters][] {
  const all = Object.entries(agents);
  if (all.length <= agentCountMax) return all;
  const others = all.slice(agentCountMax).map(([, counters]) => counters);
  const sum = others.reduce(sumOf);
  return [
    ...all.slice(0, agentCountMax),
    [otherAgents, { ...sum, byModel: sumUses(others, models) }],
  ];
}

/** Models of these agents have series of their own where the runtime tells them apart. */
function sumUses(counters: readonly Counters[], named: UsesByModel): UsesByModel {
  const sum = new ModelUses(Number.POSITIVE_INFINITY);
  for (const { byModel } of counters) {
    for (const [model, use] of Object.entries(byModel))
      sum.addUse(Object.hasOwn(named, model) ? model : otherModels, use);
  }
  return sum.toValue();
}

function sumOf(one: Counters, other: Counters): Counters {
  return {
    ...one,
    messagesHandled: one.messagesHandled + other.messagesHandled,
    messagesSent: one.messagesSent + other.messagesSent,
    errors: one.errors + other.errors,
    restarts: one.restarts + other.restarts,
    latencySumMs: one.latencySumMs + other.latencySumMs,
    latencyCount: one.latencyCount + other.latencyCount,
    errorsByCode: sumByCode(one.errorsByCode, other.errorsByCode),
    handleTimes: sumTimes(one.handleTimes, other.handleTimes),
    firstChunkTimes: sumTimes(one.firstChunkTimes, other.firstChunkTimes),
  };
}

type ByCode = { readonly [code: string]: number };

function sumByCode(one: ByCode, other: ByCode): ByCode {
  const sums = { ...one };
  for (const [code, count] of Object.entries(other)) sums[code] = (sums[code] ?? 0) + count;
  return sums;
}

function sumTimes(one: HistogramValue | null, other: HistogramValue | null): HistogramValue | null {
  if (one === null || other === null) return one ?? other;
  const sum = new Histogram();
  sum.add(one);
  sum.add(other);
  return sum.toValue();
}
