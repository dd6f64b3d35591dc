import type { JsonObject } from "../core/index.ts";
import { cliErrors } from "./errors.ts";

/**
 * Reads the payload of a message off a command line.
 *
 * @param text A JSON object.
 * @param command The command whose help says more.
 * @throws AGENTRT_CLI_USAGE when it is anything else.
 */
export function parsePayload(text: string, command: string): JsonObject {
  const help = `agentrt ${command} --help`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = `the payload is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new cliErrors.USAGE({ reason, help }, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new cliErrors.USAGE({
      reason: "the payload is not a JSON object",
      help,
    });
  }
  return value as JsonObject;
}
