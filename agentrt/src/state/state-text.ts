import type { JsonObject } from "../core/index.ts";
import { stateErrors } from "./errors.ts";

/**
 * Reads the text of a saved state.
 *
 * @param text What the store holds.
 * @param place Whose it is and where it is, for the message.
 * @returns The state.
 * @throws AGENTRT_STATE_CORRUPT when it is not a JSON object.
 */
export function parseState(
  text: string,
  place: { readonly agent: string; readonly path: string },
): JsonObject {
  let reason = "the saved text is not a JSON object";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as JsonObject;
  } catch (error) {
    // The engine's own message would quote the state.
    reason = error instanceof SyntaxError ? "the saved text is not JSON" : reason;
  }
  throw new stateErrors.CORRUPT({ ...place, reason });
}

/** Characters of JSON that a state has at most: larger ones would stall the process, and in the end kill it. */
export const stateLengthMax = 64 * 1024 * 1024;

/**
 * Writes a state as JSON.
 *
 * @param agent Whose it is.
 * @throws AGENTRT_STATE_TOO_LARGE.
 */
export function stateTextOf(agent: string, state: JsonObject): string {
  const tooLarge = (cause?: unknown): Error =>
    new stateErrors.TOO_LARGE({ agent, limit: `${stateLengthMax} characters of JSON` }, { cause });
  let text: string;
  try {
    text = JSON.stringify(state);
  } catch (error) {
    // Longer than any string can be.
    if (error instanceof RangeError) throw tooLarge(error);
    throw error;
  }
  if (text.length > stateLengthMax) throw tooLarge();
  return text;
}
