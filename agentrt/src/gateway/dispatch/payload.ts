import type { JsonObject } from "../../core/index.ts";
import type { StringMap } from "../request.ts";

/** Where a payload comes from, weakest first. */
export interface PayloadParts {
  readonly query: StringMap;
  readonly body: JsonObject;
  readonly path: StringMap;
  readonly fixed: JsonObject;
}

// Only the runtime itself may say who the caller is: a client's own claim is dropped wherever it is.
const principalKey = "__principal__";

/**
 * Merges the parts of a request into one payload: query < body < path parameters < fixed fields. The result has no
 * prototype, or is the body itself when nothing else has members: a member named `__proto__` is an ordinary own member.
 *
 * @param parts The four sources; untouched.
 * @returns The payload. It may be `parts.body` itself, so copy it before you change it.
 */
export function assemblePayload(parts: PayloadParts): JsonObject {
  if (isOnlyBody(parts)) return parts.body;
  const payload = Object.create(null) as JsonObject;
  for (const part of [parts.query, parts.body, parts.path]) {
    for (const key of Object.keys(part)) payload[key] = part[key] as JsonObject[string];
  }
  delete payload[principalKey];
  for (const key of Object.keys(parts.fixed)) payload[key] = parts.fixed[key] ?? null;
  return payload;
}

function isOnlyBody({ query, body, path, fixed }: PayloadParts): boolean {
  return !Object.hasOwn(body, principalKey) && isEmpty(query) && isEmpty(path) && isEmpty(fixed);
}

function isEmpty(part: object): boolean {
  for (const _name in part) return false;
  return true;
}
