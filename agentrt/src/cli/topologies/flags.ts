import type { CommandInput, FlagSpec } from "../command.ts";

/** The flags by which a command takes variables. */
export const environmentFlags: readonly FlagSpec[] = [
  {
    name: "substitute-env",
    summary:
      "put environment variables in place of ${NAME} and ${NAME:-default}; default $AGENTRT_SUBSTITUTE_ENV, 1 for yes",
  },
  {
    name: "env-from",
    value: "path",
    summary: "read variables from this file, too; those of the process go first; may be repeated",
    isRepeatable: true,
  },
];

/** The flags by which a command takes a topology. */
export const topologyFlags: readonly FlagSpec[] = [
  {
    name: "topology",
    short: "t",
    value: "path",
    summary: "the topology file, default topology.yaml; each further one is laid over those before",
    isRepeatable: true,
  },
  ...environmentFlags,
];

/**
 * Reads which files a topology is made of.
 *
 * @param input The command line.
 * @param argument Name of the argument that may hold the first file; default none.
 * @returns The files, the one at the bottom first; `-` is the standard input.
 */
export function topologyPaths(
  input: CommandInput,
  argument?: string,
): readonly [string, ...string[]] {
  const positional = argument === undefined ? [] : input.arguments(argument);
  const given = [...positional, ...input.texts("topology")];
  const [first = "topology.yaml", ...others] = given;
  return [first, ...others];
}

/**
 * Writes the words that read the same topology in another process.
 *
 * @param input The command line.
 * @param paths The files, as `topologyPaths` gave them.
 */
export function topologyWords(
  input: CommandInput,
  paths: readonly [string, ...string[]],
): readonly string[] {
  const [first, ...others] = paths;
  return [
    first,
    ...others.flatMap((path) => ["-t", path]),
    ...(input.isSet("substitute-env") ? ["--substitute-env"] : []),
    ...input.texts("env-from").flatMap((path) => ["--env-from", path]),
  ];
}
