import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { CommandInput, CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";

type Environment = CommandIo["environment"];

/** The environment as a command line makes it. */
export interface CommandEnvironment {
  /** The process's variables, and below them those of the files; of two files the later one goes first. */
  readonly all: Environment;
  /** Whether they are put into topologies. */
  readonly isSubstituted: boolean;
}

/**
 * Reads the environment of a command: the process's, and the files of `--env-from`.
 *
 * @param input The command line.
 * @param io Has the process's variables.
 * @throws AGENTRT_CLI_ENV_FILE_UNREADABLE, AGENTRT_CLI_USAGE.
 */
export function readEnvironment(input: CommandInput, io: CommandIo): CommandEnvironment {
  const all: { [name: string]: string | undefined } = {};
  for (const path of input.texts("env-from")) Object.assign(all, readEnvFile(path));
  for (const [name, value] of Object.entries(io.environment))
    if (value !== undefined) all[name] = value;
  return { all, isSubstituted: input.isSet("substitute-env") || isAsked(all) };
}

function isAsked(environment: Environment): boolean {
  const { AGENTRT_SUBSTITUTE_ENV: asked = "" } = environment;
  if (["", "0", "1"].includes(asked)) return asked === "1";
  throw new cliErrors.USAGE({
    reason: "AGENTRT_SUBSTITUTE_ENV is neither 1 nor 0",
    help: "agentrt run --help",
  });
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : (code ?? "it cannot be parsed");
    throw new cliErrors.ENV_FILE_UNREADABLE({ path, reason }, { cause });
  }
}
