import {
  checkOptions,
  describeValue,
  didYouMean,
  fallbackLoop,
  fallbacksOf,
  type CircuitBreakerPolicy,
  type ModelPolicy,
  type OptionNames,
  optionErrors,
  type ResilienceOptions,
  type RetryPolicy,
  type SupervisorSpec,
  timeoutMsMax,
} from "../core/index.ts";

/** A number from least to most; above `least` where it is written so. */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
  readonly isAbove?: boolean;
}

const time: Range = { least: 1, most: timeoutMsMax };
const wait: Range = { least: 0, most: timeoutMsMax };

const retryRanges: { readonly [Name in keyof Required<RetryPolicy>]: Range } = {
  retryCountMax: { least: 0, most: 100, isWhole: true },
  backoffBaseMs: wait,
  backoffMaxMs: wait,
};
const circuitRanges: { readonly [Name in keyof Required<CircuitBreakerPolicy>]: Range } = {
  failureRate: { least: 0, most: 1, isAbove: true },
  callCountMin: { least: 1, most: 1_000_000, isWhole: true },
  windowMs: time,
  openMs: time,
  probeCount: { least: 1, most: 1000, isWhole: true },
  slowCallMs: time,
};
const sections: OptionNames<ResilienceOptions> = { models: true, agents: true, tools: true };
const modelKeys: OptionNames<ModelPolicy> = {
  retry: true,
  timeoutMs: true,
  circuitBreaker: true,
  fallback: true,
};
const { fallback: _, ...targetKeys } = modelKeys;

/** What policies may be for. */
export interface ResilienceTargets {
  readonly models: readonly { readonly name: string }[];
  readonly tools: readonly { readonly name: string }[];
  readonly tree: {
    readonly supervision: SupervisorSpec;
    /** There where agents may be in other processes: policies for them are right. */
    readonly network?: unknown;
  };
}

/**
 * Refuses policies that a topology file would refuse: unknown options and names, numbers out of their range, fallbacks
 * that come back to where they began.
 *
 * @param options What the program gave.
 * @param targets What policies may be for.
 * @throws AGENTRT_OPTION_UNKNOWN, AGENTRT_OPTION_WRONG.
 */
export function checkResilience(
  options: ResilienceOptions | undefined,
  targets: ResilienceTargets,
): void {
  if (options === undefined) return;
  checkOptions("resilience", options, sections);
  const { models = {}, agents = {}, tools = {} } = options;
  const names = targets.models.map(({ name }) => name);
  checkPolicies("models", models, names);
  checkPolicies(
    "tools",
    tools,
    targets.tools.map(({ name }) => name),
  );
  const inTree = agentsOf(targets.tree.supervision);
  const isOpen = inTree.isDynamic || targets.tree.network !== undefined;
  checkPolicies("agents", agents, isOpen ? undefined : inTree.names);
  for (const name of Object.keys(models)) checkFallbacks(name, models, names);
}

function checkPolicies(
  section: keyof ResilienceOptions,
  policies: object,
  known: readonly string[] | undefined,
): void {
  const owner = `resilience.${section}`;
  for (const [name, policy] of Object.entries(policies) as [string, ModelPolicy][]) {
    if (known !== undefined && !known.includes(name)) {
      const hint = didYouMean(name, known) || `; there are ${known.join(", ") || "none"}`;
      throw new optionErrors.UNKNOWN({ owner, option: name, hint });
    }
    const at = `${owner}.${name}`;
    checkOptions(at, policy, section === "models" ? modelKeys : targetKeys);
    checkNumber(at, "timeoutMs", policy.timeoutMs, time);
    checkNumbers(`${at}.retry`, policy.retry, retryRanges);
    checkNumbers(`${at}.circuitBreaker`, policy.circuitBreaker, circuitRanges);
  }
}

function checkNumbers(owner: string, given: object | undefined, ranges: object): void {
  if (given === undefined) return;
  checkOptions(owner, given, ranges);
  for (const [option, range] of Object.entries(ranges) as [string, Range][])
    checkNumber(owner, option, (given as { readonly [name: string]: unknown })[option], range);
}

// oxlint-disable-next-line max-params -- reads as the sentence that it says
function checkNumber(owner: string, option: string, value: unknown, range: Range): void {
  const { least, most, isWhole = false, isAbove = false } = range;
  if (value === undefined) return;
  const isNumber =
    typeof value === "number" && value <= most && (isAbove ? value > least : value >= least);
  if (isNumber && (!isWhole || Number.isInteger(value))) return;
  const kind = isWhole ? "a whole number" : "a number";
  const wanted = isAbove
    ? `${kind} above ${least}, at most ${most}`
    : `${kind} from ${least} to ${most}`;
  throw new optionErrors.WRONG({ owner, option, found: describeValue(value), wanted });
}

function checkFallbacks(
  name: string,
  policies: NonNullable<ResilienceOptions["models"]>,
  known: readonly string[],
): void {
  const owner = `resilience.models.${name}`;
  const refuse = (found: string, wanted: string): Error =>
    new optionErrors.WRONG({ owner, option: "fallback", found, wanted });
  const fallbacks = (of: string): readonly string[] => fallbacksOf(policies[of] ?? {});
  for (const each of fallbacks(name)) {
    if (known.includes(each)) continue;
    const hint = typeof each === "string" ? didYouMean(each, known) : "";
    throw refuse(describeValue(each), `the name of a model provider${hint}`);
  }
  const loop = fallbackLoop(name, fallbacks);
  if (loop !== undefined) throw refuse(loop.join(" -> "), "fallbacks that end somewhere");
}

function agentsOf(spec: SupervisorSpec): { readonly names: string[]; readonly isDynamic: boolean } {
  const names: string[] = [];
  let isDynamic = spec.dynamic !== undefined;
  for (const child of spec.children) {
    if (child.kind === "agent" || child.keyed !== undefined || child.pool !== undefined) {
      names.push(child.name);
      continue;
    }
    const inner = agentsOf(child);
    names.push(...inner.names);
    isDynamic ||= inner.isDynamic;
  }
  return { names, isDynamic };
}
