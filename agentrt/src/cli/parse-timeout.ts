import { cliErrors } from "./errors.ts";

/**
 * Reads the value of `--timeout`.
 *
 * @param text A number of seconds.
 * @param command For the help: `call`.
 * @returns Milliseconds.
 * @throws AGENTRT_CLI_USAGE.
 */
export function parseTimeout(text: string, command: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds > 0 && seconds <= 86_400) return seconds * 1000;
  const reason = `--timeout is "${text}": a number of seconds above 0, at most 86400, is wanted`;
  throw new cliErrors.USAGE({ reason, help: `agentrt ${command} --help` });
}
