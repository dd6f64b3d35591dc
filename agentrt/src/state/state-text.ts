import type { JsonObject } from "../core/index.ts";
import { stateErrors } from "./errors.ts";

/**
 * Reads the text of a saved state.
 *
 * @param text What the store holds.
 * @param place Whose it is and where it stands, for the message.
 * @returns The state.
 * @throws AGENTRT_STATE_CORRUPT when it is no JSON object.
 */
export function parseState(
  text: string,
  place: { readonly agent: string; readonly path: string },
): JsonObject {
  let reason = "the saved text is no JSON object";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as JsonObject;
  } catch (error) {
    // The engine's own message would quote the state.
    reason = error instanceof SyntaxError ? "the saved text is no JSON" : reason;
  }
  throw new stateErrors.CORRUPT({ ...place, reason });
}
