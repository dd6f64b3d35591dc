import type { JsonValue } from "../../core/index.ts";
import { isEncryptedState } from "../../state/index.ts";
import { safeJson } from "../safe-json.ts";

/**
 * Reads a saved state for showing it.
 *
 * @param text What the store holds.
 * @returns The state; `<encrypted>` or `<unreadable>` where there is none to show.
 */
export function shownState(text: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return "<unreadable>";
  }
  if (isEncryptedState(value)) return "<encrypted>";
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value
    : "<unreadable>";
}

/** Writes a state after the name of its agent: `<encrypted>` as it is, all else as JSON. */
export function stateText(state: JsonValue, options: { readonly indent?: number } = {}): string {
  return typeof state === "string" ? state : safeJson(state, options);
}

/** `1 state`, `2 states`. */
export function stateCount(count: number): string {
  return `${count} ${count === 1 ? "state" : "states"}`;
}
