import {
  type AgentCounters,
  Histogram,
  type HistogramValue,
  ModelUses,
  noModelCounters,
  noModelSession,
  type UsesByModel,
} from "../../core/index.ts";

/** What an agent has counted that has done nothing. */
export const noCounters: AgentCounters = {
  ...noModelCounters,
  ...noModelSession,
  messagesHandled: 0,
  messagesSent: 0,
  chunksSent: 0,
  messagesCancelled: 0,
  repliesUnwanted: 0,
  errors: 0,
  errorsByCode: {},
  restarts: 0,
  avgLatencyMs: 0,
  latencySumMs: 0,
  latencyCount: 0,
  handleTimes: null,
  firstChunkTimes: null,
};

/**
 * Adds what two have counted; or one, at two times.
 *
 * @param one The earlier.
 * @param other The later: its model and its session are those of the sum.
 */
export function sumCounters(one: AgentCounters, other: AgentCounters): AgentCounters {
  const latencySumMs = one.latencySumMs + other.latencySumMs;
  const latencyCount = one.latencyCount + other.latencyCount;
  return {
    ...other,
    messagesHandled: one.messagesHandled + other.messagesHandled,
    messagesSent: one.messagesSent + other.messagesSent,
    chunksSent: one.chunksSent + other.chunksSent,
    messagesCancelled: one.messagesCancelled + other.messagesCancelled,
    repliesUnwanted: one.repliesUnwanted + other.repliesUnwanted,
    errors: one.errors + other.errors,
    restarts: one.restarts + other.restarts,
    tokensIn: one.tokensIn + other.tokensIn,
    tokensOut: one.tokensOut + other.tokensOut,
    costUsd: one.costUsd + other.costUsd,
    modelCalls: one.modelCalls + other.modelCalls,
    modelErrors: one.modelErrors + other.modelErrors,
    modelFallbacks: one.modelFallbacks + other.modelFallbacks,
    lastModel: other.lastModel ?? one.lastModel,
    byModel: sumUses(one.byModel, other.byModel),
    avgLatencyMs: latencyCount === 0 ? 0 : latencySumMs / latencyCount,
    latencySumMs,
    latencyCount,
    errorsByCode: sumByName(one.errorsByCode, other.errorsByCode),
    handleTimes: sumTimes(one.handleTimes, other.handleTimes),
    firstChunkTimes: sumTimes(one.firstChunkTimes, other.firstChunkTimes),
  };
}

/** @returns Counters that take away, in a sum, what these have counted. */
export function negatedCounters(counters: AgentCounters): AgentCounters {
  const negated = Object.entries(counters).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "number" ? -value : value,
  ]);
  return {
    ...(Object.fromEntries(negated) as AgentCounters),
    byModel: negatedUses(counters.byModel),
    errorsByCode: negatedByName(counters.errorsByCode),
    handleTimes: negatedTimes(counters.handleTimes),
    firstChunkTimes: negatedTimes(counters.firstChunkTimes),
  };
}

/** Adds what was used of each model. */
export function sumUses(one: UsesByModel, other: UsesByModel): UsesByModel {
  // Most agents ask no model.
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) ? other : one;
  const sum = new ModelUses(Number.POSITIVE_INFINITY);
  for (const uses of [one, other])
    for (const [model, use] of Object.entries(uses)) sum.addUse(model, use);
  return sum.toValue();
}

/** @returns Uses that take these away in a sum. */
export function negatedUses(uses: UsesByModel): UsesByModel {
  const negated = Object.entries(uses).map(([model, use]) => [
    model,
    {
      calls: -use.calls,
      unpricedCalls: -use.unpricedCalls,
      tokensIn: -use.tokensIn,
      tokensOut: -use.tokensOut,
      costUsd: -use.costUsd,
    },
  ]);
  return Object.fromEntries(negated) as UsesByModel;
}

type ByName = { readonly [name: string]: number };

/** Adds what is counted by name. */
export function sumByName(one: ByName, other: ByName): ByName {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) ? other : one;
  const sums = { ...one };
  for (const [name, count] of Object.entries(other)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** @returns Counts that take these away in a sum. */
export function negatedByName(counts: ByName): ByName {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, -count]));
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

function sumTimes(one: HistogramValue | null, other: HistogramValue | null): HistogramValue | null {
  if (one === null || other === null) return one ?? other;
  const sum = new Histogram();
  sum.add(one);
  sum.add(other);
  return sum.toValue();
}

function negatedTimes(times: HistogramValue | null): HistogramValue | null {
  if (times === null) return null;
  return {
    bucketCounts: times.bucketCounts.map((count) => -count),
    sumSeconds: -times.sumSeconds,
    count: -times.count,
  };
}
