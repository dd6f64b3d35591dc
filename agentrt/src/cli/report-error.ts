import { TableError } from "../core/define-errors.ts";
import { reasonOf } from "../core/fault-reason.ts";
import { cliErrors } from "./errors.ts";

/**
 * Turns whatever a command threw into one line and an exit code; no stack is ever shown.
 *
 * @param error What was thrown.
 * @param tell Takes the line.
 * @returns The exit code.
 */
export function reportError(error: unknown, tell: (line: string) => void): number {
  const known = causeToTell(error);
  const message = known.message;
  const end = /[.?!]$/.test(message) ? "" : ".";
  const remedy = known.code === "AGENTRT_CLI_USAGE" ? "" : `${end} ${known.remedy} [${known.code}]`;
  tell(`agentrt: ${message}${remedy}`);
  return known.exitCode;
}

/** A child that could not start failed for a reason of its own, which helps more than that it failed. */
function causeToTell(error: unknown): TableError {
  if (!(error instanceof TableError))
    return new cliErrors.INTERNAL({ reason: reasonOf(error) }, { cause: error });
  const isStart = error.code === "AGENTRT_SUPERVISION_START_FAILED";
  return isStart && error.cause instanceof TableError ? causeToTell(error.cause) : error;
}
