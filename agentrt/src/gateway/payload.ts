import type { JsonObject } from "../core/json.ts";
import type { StringMap } from "./request.ts";

/** Where a payload comes from, weakest first. */
export interface PayloadParts {
  readonly query: StringMap;
  readonly body: JsonObject;
  readonly path: StringMap;
  readonly fixed: JsonObject;
}

// Only the runtime itself may say who the caller is: a client's own claim is dropped wherever it stands.
const principalKey = "__principal__";

/**
 * Merges the parts of a request into one payload: query < body < path parameters < fixed fields. The result has no
 * prototype, so a member named `__proto__` is an ordinary member and nothing else.
 *
 * @param parts The four sources.
 * @returns A new object; the sources are untouched.
 */
export function assemblePayload(parts: PayloadParts): JsonObject {
  const payload = Object.create(null) as JsonObject;
  for (const part of [parts.query, parts.body, parts.path]) {
    for (const key of Object.keys(part)) payload[key] = part[key] as JsonObject[string];
  }
  delete payload[principalKey];
  for (const key of Object.keys(parts.fixed)) payload[key] = parts.fixed[key] ?? null;
  return payload;
}
