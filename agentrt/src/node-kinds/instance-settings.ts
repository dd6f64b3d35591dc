import { z } from "zod";
import { fields, type KeyDescriptions, type NodeFinding } from "../topology/index.ts";
import { limitKeys, limitOptions, limitShape } from "./agent-limits.ts";
import { credentialsSchema } from "./credentials.ts";

const { anyMapping, list, oneOf, seconds, text, textLike, wholeNumber } = fields;

/** The settings of kinds that run several objects of one class: how they restart, and what each of them gets. */
export const instanceShape = {
  class: textLike(/^[^\s]+$/, "the path of a class, such as agents.Writer"),
  max_restarts: wholeNumber({ min: 0 }).default(3),
  restart_window: seconds({ isZeroAllowed: false }).default(60),
  backoff: oneOf(["CONSTANT", "LINEAR", "EXPONENTIAL"], "upper").default("CONSTANT"),
  backoff_base: seconds({ isZeroAllowed: true }).default(1),
  backoff_max: seconds({ isZeroAllowed: true }).default(60),
  ...limitShape,
  capabilities: list(text(), "a list of strings").optional(),
  capability_metadata: anyMapping().optional(),
  credentials: credentialsSchema().optional(),
  class_config: anyMapping().nullish(),
};

/** What these settings are for; `class` and `max_restarts` mean something else in each kind. */
export const instanceKeys: KeyDescriptions = {
  restart_window: "Length of the sliding window of crashes, in seconds.",
  backoff: "How the delay before a restart grows.",
  backoff_base: "First delay, in seconds.",
  backoff_max: "Longest delay, in seconds.",
  ...limitKeys,
  capabilities: "Tags by which it is found.",
  capability_metadata: "What it says about its capabilities.",
  credentials: "Environment variables that hold the objects' own keys, by model provider.",
  class_config: "Handed to each object as this.config.",
};

const instances = z.object(instanceShape);

/** @returns The options of `pool` and `keyed` that these settings stand for. */
export function instanceOptions(given: z.output<typeof instances>) {
  return {
    restartCountMax: given.max_restarts,
    restartWindowMs: given.restart_window * 1000,
    backoff: given.backoff,
    backoffBaseMs: given.backoff_base * 1000,
    backoffMaxMs: given.backoff_max * 1000,
    ...limitOptions(given),
    capabilities: given.capabilities,
    capabilityMetadata: given.capability_metadata,
    config: given.class_config ?? undefined,
  };
}

/** Notes a first delay above the longest one. */
export function* checkBackoff(options: {
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
}): Generator<NodeFinding> {
  const [base, max] = [options.backoffBaseMs / 1000, options.backoffMaxMs / 1000];
  if (base <= max) return;
  const message = `backoff_base is ${base} and backoff_max is ${max}: every delay is backoff_max`;
  yield { path: ["backoff_base"], isNote: true, message };
}
