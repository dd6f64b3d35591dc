import { TableError } from "../core/define-errors.ts";
import { cliErrors } from "./errors.ts";

/**
 * Turns whatever a command threw into one line and an exit code; no stack is ever shown.
 *
 * @param error What was thrown.
 * @param tell Takes the line.
 * @returns The exit code.
 */
export function reportError(error: unknown, tell: (line: string) => void): number {
  const known =
    error instanceof TableError
      ? error
      : new cliErrors.INTERNAL(
          { reason: error instanceof Error ? error.message : String(error) },
          { cause: error },
        );
  const message = known.message.replaceAll(/\s*\n\s*/g, " ");
  const remedy = known.code === "AGENTRT_CLI_USAGE" ? "" : `. ${known.remedy} [${known.code}]`;
  tell(`agentrt: ${message}${remedy}`);
  return known.exitCode;
}
