import { placeOfError, TableError, reasonOf } from "../core/index.ts";
import { cliErrors } from "./errors.ts";

const startFailed = "AGENTRT_SUPERVISION_START_FAILED";

/**
 * Turns whatever a command threw into one line and an exit code; no stack is ever shown.
 *
 * @param error What was thrown.
 * @param tell Takes the line.
 * @returns The exit code.
 */
export function reportError(error: unknown, tell: (line: string) => void): number {
  const known = toldOf(error);
  const message = known.message;
  const end = /[.?!]$/.test(message) ? "" : ".";
  const remedy = known.code === "AGENTRT_CLI_USAGE" ? "" : `${end} ${known.remedy} [${known.code}]`;
  tell(`agentrt: ${message}${remedy}`);
  return known.exitCode;
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly exitCode: number;
}

/** What is printed about an error. For a failed start it is the innermost cause, because only its remedy helps. */
function toldOf(error: unknown): Told {
  if (!(error instanceof TableError))
    return new cliErrors.INTERNAL({ reason: reasonOf(error) }, { cause: error });
  const { cause } = error;
  if (error.code !== startFailed) return error;
  if (!(cause instanceof TableError)) return withPlace(error, cause);
  const { code, message, remedy, exitCode } = toldOf(cause);
  const isNamed = cause.code === startFailed || message.startsWith("Cannot start ");
  return { code, message: isNamed ? message : error.message, remedy, exitCode };
}

/** What user code threw says little by itself: the line that threw it says the rest. */
function withPlace({ code, message, remedy, exitCode }: Told, cause: unknown): Told {
  const place = cause instanceof Error ? placeOfError(cause) : undefined;
  const at = place === undefined ? "" : `, at ${place}`;
  return { code, message: `${message}${at}`, remedy, exitCode };
}
