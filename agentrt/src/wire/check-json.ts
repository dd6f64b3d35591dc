import type { JsonObject, JsonValue } from "../core/index.ts";
import { wireErrors } from "./errors.ts";

/** Deepest nesting: two levels more than payloads may have. */
const depthMax = 202;

const objectPrototype: unknown = Object.prototype;

/**
 * Checks that what was decoded is plain JSON, an object or a list: MessagePack can also carry bytes, dates and numbers that are
 * none.
 *
 * @returns The same value.
 * @throws AGENTRT_WIRE_UNREADABLE for anything else.
 */
export function checkJson(value: unknown): JsonObject | readonly JsonValue[] {
  if (typeof value !== "object" || value === null)
    throw new wireErrors.UNREADABLE({ reason: "it is not an object" });
  check(value, 0);
  return value as JsonObject | readonly JsonValue[];
}

function check(value: unknown, depth: number): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (typeof value !== "object") throw refusal(`a ${typeof value} is not JSON`);
  if (depth > depthMax) throw refusal(`it is nested deeper than ${depthMax} levels`);
  if (Array.isArray(value)) {
    for (const item of value) check(item, depth + 1);
    return;
  }
  if (Object.getPrototypeOf(value) !== objectPrototype) throw refusal("a value in it is not JSON");
  for (const item of Object.values(value)) check(item, depth + 1);
}

function refusal(reason: string): Error {
  return new wireErrors.UNREADABLE({ reason });
}
