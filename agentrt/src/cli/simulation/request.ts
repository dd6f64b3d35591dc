import { type FaultKind, faultKinds } from "../../testing/index.ts";
import type { CommandInput } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { topologyPaths, topologyWords } from "../topologies/index.ts";

/** What `agentrt sim` was called with. */
export interface SimulationRequest {
  /** The files of the topology, the one at the bottom first. */
  readonly paths: readonly [string, ...string[]];
  /** The words that read the same topology again. */
  readonly topologyWords: readonly string[];
  readonly firstSeed: number;
  readonly runCount: number;
  readonly durationMs: number;
  readonly stepCountMax: number;
  readonly workload: string | undefined;
  readonly invariants: string | undefined;
  /** A function of a module, or the file of a recording. */
  readonly models: string | undefined;
  readonly tools: string | undefined;
  readonly isCalm: boolean;
  /** The only kinds of faults that happen; undefined for all. */
  readonly onlyFaults: readonly FaultKind[] | undefined;
  /** Most messages of the default workload; undefined for as many as the seed decides. */
  readonly messageCountMax: number | undefined;
  readonly isTraced: boolean;
  readonly isJson: boolean;
  readonly jobCount: number;
}

const noFaults = "none";
const durationSecondsMax = 86_400;

/**
 * Reads the flags of `agentrt sim`.
 *
 * @param input The command line.
 * @returns The request.
 * @throws AGENTRT_CLI_USAGE when a number is none or out of its range, or several processes would read one standard input.
 */
export function readSimulationRequest(input: CommandInput): SimulationRequest {
  const whole = (flag: string, least: number, most: number): number => {
    const text = input.text(flag) ?? "";
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw usage(flag, text, `a whole number from ${least} to ${most}`);
  };
  const seconds = Number(input.text("duration"));
  if (!(seconds > 0 && seconds <= durationSecondsMax)) {
    const wanted = `seconds above 0, up to ${durationSecondsMax}`;
    throw usage("duration", input.text("duration") ?? "", wanted);
  }
  const paths = topologyPaths(input, "path");
  const jobCount = whole("jobs", 1, 256);
  if (jobCount > 1 && paths.includes("-")) {
    const reason = "--jobs cannot share a topology that comes on standard input";
    throw new cliErrors.USAGE({ reason, help: "agentrt sim --help" });
  }
  return {
    paths,
    topologyWords: topologyWords(input, paths),
    firstSeed: whole("seed", 0, Number.MAX_SAFE_INTEGER - 1_000_000_000),
    runCount: whole("runs", 1, 1_000_000_000),
    durationMs: seconds * 1000,
    stepCountMax: whole("steps", 1, 1_000_000_000),
    workload: input.text("workload"),
    invariants: input.text("invariants"),
    models: input.text("models"),
    tools: input.text("tools"),
    isCalm: input.isSet("calm"),
    onlyFaults: readFaults(input.text("faults")),
    messageCountMax:
      input.text("messages") === undefined ? undefined : whole("messages", 0, 1_000_000_000),
    isTraced: input.isSet("trace"),
    isJson: input.isSet("json"),
    jobCount,
  };
}

/** `none`, or names with commas between them. */
function readFaults(text: string | undefined): readonly FaultKind[] | undefined {
  if (text === undefined) return undefined;
  if (text === noFaults) return [];
  return text.split(",").map((name) => {
    const found = faultKinds.find((kind) => kind === name);
    if (found === undefined)
      throw usage("faults", name, `${noFaults}, or of ${faultKinds.join(", ")}`);
    return found;
  });
}

function usage(flag: string, found: string, wanted: string): Error {
  const reason = `option '--${flag}' is "${found}", wanted ${wanted}`;
  return new cliErrors.USAGE({ reason, help: "agentrt sim --help" });
}

/**
 * Writes the command line that repeats one run.
 *
 * @param request The request it was part of.
 * @param seed The run's.
 * @returns The words after `agentrt`.
 */
export function repeatWords(request: SimulationRequest, seed: number): string[] {
  const { durationMs, stepCountMax, workload, invariants, models, tools, isCalm } = request;
  const { onlyFaults, messageCountMax } = request;
  const faults = onlyFaults?.length === 0 ? noFaults : onlyFaults?.join(",");
  return [
    "sim",
    ...request.topologyWords,
    "--seed",
    String(seed),
    "--runs",
    "1",
    ...(durationMs === 30_000 ? [] : ["--duration", String(durationMs / 1000)]),
    ...(stepCountMax === 5000 ? [] : ["--steps", String(stepCountMax)]),
    ...(workload === undefined ? [] : ["--workload", workload]),
    ...(invariants === undefined ? [] : ["--invariants", invariants]),
    ...(models === undefined ? [] : ["--models", models]),
    ...(tools === undefined ? [] : ["--tools", tools]),
    ...(isCalm ? ["--calm"] : []),
    ...(faults === undefined ? [] : ["--faults", faults]),
    ...(messageCountMax === undefined ? [] : ["--messages", String(messageCountMax)]),
  ];
}

/** Joins words into a command line that a shell takes apart into the same words. */
export function commandLine(words: readonly string[]): string {
  const quoted = words.map((word) =>
    /^[\w./:=@%+-][\w./:=@%+#-]*$/.test(word)
      ? word
      : `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  return ["agentrt", ...quoted].join(" ");
}
