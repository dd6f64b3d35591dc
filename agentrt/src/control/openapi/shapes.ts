import type { JsonObject, JsonValue } from "../../core/index.ts";

/** Members of an object by name; a name that ends in `?` may be absent. */
export interface Members {
  readonly [name: string]: JsonObject;
}

/** A text. */
export const text: JsonObject = { type: "string" };
/** A text that is there and not empty. */
export const filledText: JsonObject = { type: "string", minLength: 1, pattern: String.raw`\S` };
/** A text, or null. */
export const textOrNull: JsonObject = { type: ["string", "null"] };
/** A number of 0 or more. */
export const amount: JsonObject = { type: "number", minimum: 0 };
/** A number of 0 or more, or null. */
export const amountOrNull: JsonObject = { type: ["number", "null"], minimum: 0 };
/** A whole number of 0 or more. */
export const count: JsonObject = { type: "integer", minimum: 0 };
/** A whole number of 0 or more, or null. */
export const countOrNull: JsonObject = { type: ["integer", "null"], minimum: 0 };
/** Yes or no. */
export const flag: JsonObject = { type: "boolean" };
/** Any object. */
export const anyObject: JsonObject = { type: "object", additionalProperties: true };

/**
 * An object without other members than these.
 *
 * @param members By name; `name?` for one that may be absent.
 */
export function object(members: Members): JsonObject {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith("?"));
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ""), schema]),
  );
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** A list of such items. */
export function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

/** An object whose members are all such, whatever their names. */
export function byName(members: JsonObject): JsonObject {
  return { type: "object", additionalProperties: members };
}

/** One of these values. */
export function oneOf(...values: readonly JsonValue[]): JsonObject {
  return { enum: [...values] };
}

/** One of the document's schemas, by its name. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
