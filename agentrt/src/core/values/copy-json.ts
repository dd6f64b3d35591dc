import type { JsonValue } from "./json.ts";

/**
 * Copies what is known to be JSON, such as a record or what a file says: much faster than `structuredClone`.
 *
 * @param value Plain objects, lists and simple values, without a cycle.
 * @returns A deep copy.
 */
export function copyJson<Value extends object>(value: Value): Value {
  return copyObject(value) as Value;
}

function copyObject(source: object): object {
  if (Array.isArray(source)) return source.map((each: JsonValue) => copyValue(each));
  const copy: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(source)) {
    if (name === "__proto__") defineMember(copy, name, copyValue(value));
    else copy[name] = copyValue(value);
  }
  return copy;
}

function copyValue(value: unknown): unknown {
  return typeof value === "object" && value !== null ? copyObject(value) : value;
}

/** A member of that name is an ordinary one. */
function defineMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
