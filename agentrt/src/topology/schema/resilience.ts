import { z } from "zod";
import type { KeyDescriptions } from "./field-json-schema.ts";
import { list, mapping, seconds, text, wholeNumber } from "./fields.ts";

const rate = () => {
  const error = "a share of calls above 0, at most 1";
  return z.number({ error }).gt(0, { error }).max(1, { error });
};

const targetShape = {
  retry: mapping({
    max_retries: wholeNumber({ min: 0, max: 100 }).optional(),
    backoff_base: seconds({ isZeroAllowed: true }).optional(),
    backoff_max: seconds({ isZeroAllowed: true }).optional(),
  }).optional(),
  timeout: seconds({ isZeroAllowed: false }).optional(),
  circuit_breaker: mapping({
    failure_rate: rate().optional(),
    min_calls: wholeNumber({ min: 1, max: 1_000_000 }).optional(),
    window: seconds({ isZeroAllowed: false }).optional(),
    open_for: seconds({ isZeroAllowed: false }).optional(),
    probes: wholeNumber({ min: 1, max: 1000 }).optional(),
    slow_call: seconds({ isZeroAllowed: false }).optional(),
  }).optional(),
};

const fallbackWanted = "the name of a model provider, or a list of them";
const fallback = z.union(
  [text(fallbackWanted), list(text("the name of a model provider"), fallbackWanted).min(1)],
  { error: fallbackWanted },
);

const byName = <Policy extends z.ZodType>(policy: Policy, of: string) =>
  z.record(z.string(), policy, { error: `a mapping from the names of ${of} to policies` });

/** Schema of `resilience:`. */
export const resilienceSchema = mapping({
  models: byName(
    mapping({ ...targetShape, fallback: fallback.optional() }),
    "model providers",
  ).optional(),
  agents: byName(mapping(targetShape), "agents").optional(),
  tools: byName(mapping(targetShape), "tool servers").optional(),
});

const targetKeys: KeyDescriptions = {
  retry: "How a call that failed is made again.",
  "retry.max_retries": "Attempts after the first one; default 3.",
  "retry.backoff_base": "First wait, in seconds; each further one is twice as long. Default 0.5.",
  "retry.backoff_max": "Longest wait, in seconds; default 8.",
  timeout: "Seconds that one attempt may take.",
  circuit_breaker: "When calls are refused at once, because too many failed.",
  "circuit_breaker.failure_rate":
    "Share of the calls within the window that fail before it opens; default 0.5.",
  "circuit_breaker.min_calls": "It does not open before so many calls; default 5.",
  "circuit_breaker.window": "Length of the rolling window, in seconds; default 60.",
  "circuit_breaker.open_for": "Seconds that calls are refused before some try again; default 30.",
  "circuit_breaker.probes": "Calls that try whether it works again; default 1.",
  "circuit_breaker.slow_call": "Seconds after which a call counts as failed, whatever comes of it.",
};

const targets: { readonly [section: string]: string } = {
  models: "Policies by the name of a model provider.",
  agents: "Policies by the name of an agent, a pool or a keyed agent.",
  tools: "Policies by the name of a tool server.",
};

/** What the keys of `resilience:` are for. */
export const resilienceKeyDescriptions: KeyDescriptions = {
  resilience:
    "What is done about calls that fail: retries, time-outs, circuit breakers, fallbacks.",
  ...Object.fromEntries(
    Object.entries(targets).flatMap(([section, description]) => [
      [`resilience.${section}`, description],
      ...Object.entries(targetKeys).map(([key, each]) => [`resilience.${section}.*.${key}`, each]),
    ]),
  ),
  "resilience.agents.*.retry":
    "How a call that failed is made again: the agent may handle the same message twice.",
  "resilience.models.*.fallback":
    "Providers that are asked in its place, for their default models.",
};
