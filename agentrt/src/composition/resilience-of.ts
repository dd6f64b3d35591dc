import type { ModelPolicy, ResilienceOptions, TargetPolicy } from "../core/index.ts";
import type { TargetSettings, Topology } from "../topology/index.ts";

/**
 * Reads what is done about calls that fail.
 *
 * @param topology A validated topology.
 * @returns The option of the runtime; undefined where the file has no such section.
 */
export function resilienceOf({ targets }: Topology): ResilienceOptions | undefined {
  const { models, agents, tools } = targets;
  if (models === undefined && agents === undefined && tools === undefined) return undefined;
  return {
    models: mapped(models, (given): ModelPolicy => ({
      ...policyOf(given),
      fallback: given.fallback,
    })),
    agents: mapped(agents, policyOf),
    tools: mapped(tools, policyOf),
  };
}

function policyOf({ retry, timeout, circuit_breaker: breaker }: TargetSettings): TargetPolicy {
  return {
    retry: retry && {
      retryCountMax: retry.max_retries,
      backoffBaseMs: milliseconds(retry.backoff_base),
      backoffMaxMs: milliseconds(retry.backoff_max),
    },
    timeoutMs: milliseconds(timeout),
    circuitBreaker: breaker && {
      failureRate: breaker.failure_rate,
      callCountMin: breaker.min_calls,
      windowMs: milliseconds(breaker.window),
      openMs: milliseconds(breaker.open_for),
      probeCount: breaker.probes,
      slowCallMs: milliseconds(breaker.slow_call),
    },
  };
}

/** Whole milliseconds, and none only where none was written. */
function milliseconds(durationSeconds: number | undefined): number | undefined {
  if (durationSeconds === undefined || durationSeconds === 0) return durationSeconds;
  return Math.max(1, Math.round(durationSeconds * 1000));
}

function mapped<Given, Made>(
  policies: { readonly [name: string]: Given } | undefined,
  make: (given: Given) => Made,
): { readonly [name: string]: Made } | undefined {
  if (policies === undefined) return undefined;
  return Object.fromEntries(Object.entries(policies).map(([name, given]) => [name, make(given)]));
}
