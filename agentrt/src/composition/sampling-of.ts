import type { SamplingOptions } from "../telemetry/index.ts";
import type { Topology } from "../topology/index.ts";

type Environment = { readonly [name: string]: string | undefined };

/**
 * Reads which traces are recorded: the section `tracing` of the file, and for what that does not say the variables
 * `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`, as OpenTelemetry defines them.
 *
 * @param topology A validated topology.
 * @param environment The process's.
 * @param warn Called for a variable that nothing can be made of.
 * @returns The options of the runtime; what nobody says is left to its defaults.
 */
export function samplingOf(
  { tracing = {} }: Topology,
  environment: Environment,
  warn: (message: string) => void,
): SamplingOptions {
  const { sample_ratio: ratio, parent_based: isParentBased } = tracing;
  const given = samplerOf(environment, warn);
  return {
    ratio: typeof ratio === "number" ? ratio : given.ratio,
    isParentBased: typeof isParentBased === "boolean" ? isParentBased : given.isParentBased,
  };
}

function samplerOf(environment: Environment, warn: (message: string) => void): SamplingOptions {
  const sampler = environment["OTEL_TRACES_SAMPLER"]?.trim() ?? "";
  if (sampler === "") return {};
  const isParentBased = sampler.startsWith("parentbased_");
  const base = isParentBased ? sampler.slice("parentbased_".length) : sampler;
  if (base === "always_on") return { ratio: 1, isParentBased };
  if (base === "always_off") return { ratio: 0, isParentBased };
  if (base !== "traceidratio") {
    warn(`OTEL_TRACES_SAMPLER "${sampler}" is not known: all traces are recorded`);
    return {};
  }
  const argument = environment["OTEL_TRACES_SAMPLER_ARG"]?.trim() ?? "";
  const ratio = argument === "" ? 1 : Number(argument);
  if (ratio >= 0 && ratio <= 1) return { ratio, isParentBased };
  warn(
    `OTEL_TRACES_SAMPLER_ARG "${argument}" is not a number from 0 to 1: all traces are recorded`,
  );
  return { ratio: 1, isParentBased };
}
