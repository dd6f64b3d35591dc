import process from "node:process";
import {
  createJsonLog,
  createTextLog,
  type Log,
  type LogLevel,
  logLevels,
  type Redactor,
  createRealSystem,
} from "../../core/index.ts";
import type { CommandInput } from "../command.ts";
import { cliErrors } from "../errors.ts";

/** How a log is written. */
export const logFormats = ["text", "json"] as const;

/** What `--log-format` and `--log-level` say, or the environment. */
export interface LogSettings {
  readonly format: (typeof logFormats)[number];
  readonly level: LogLevel;
}

type Environment = { readonly [name: string]: string | undefined };

/**
 * Reads how to log: a flag goes before the variable of the environment.
 *
 * @param input The command line.
 * @param environment Has AGENTRT_LOG_FORMAT and AGENTRT_LOG_LEVEL, or not.
 * @returns The settings.
 * @throws AGENTRT_CLI_USAGE when a value is none of those wanted.
 */
export function readLogSettings(input: CommandInput, environment: Environment): LogSettings {
  const oneOf = <Value extends string>(
    flag: string,
    { variable, values, preset }: { variable: string; values: readonly Value[]; preset: Value },
  ): Value => {
    const given = input.text(flag);
    const found = given ?? (environment[variable] || preset);
    const value = values.find((candidate) => candidate === found);
    if (value !== undefined) return value;
    const source = given === undefined ? variable : `--${flag}`;
    const reason = `${source} is "${found}": one of ${values.join(", ")} is wanted`;
    throw new cliErrors.USAGE({ reason, help: "agentrt run --help" });
  };
  return {
    format: oneOf("log-format", {
      variable: "AGENTRT_LOG_FORMAT",
      values: logFormats,
      preset: "text",
    }),
    level: oneOf("log-level", { variable: "AGENTRT_LOG_LEVEL", values: logLevels, preset: "info" }),
  };
}

/**
 * Opens the log of a run, on stderr.
 *
 * @param settings Format and level.
 * @param redactor Keeps secrets out of every line.
 * @returns The log.
 */
export function openLog({ format, level }: LogSettings, redactor: Redactor): Log {
  const system = createRealSystem();
  const options = {
    level,
    redactor,
    nowMs: () => system.nowMs(),
    write: (line: string) => void process.stderr.write(line),
  };
  return format === "json" ? createJsonLog(options) : createTextLog(options);
}
