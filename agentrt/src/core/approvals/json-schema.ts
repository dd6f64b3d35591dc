import type { JsonObject, JsonValue } from "../values/index.ts";

/** What is wrong, and where: `schema.properties.amount`, `payload.amount`. */
export interface SchemaFault {
  readonly path: string;
  readonly reason: string;
}

const depthMax = 32;
/** Longest text that a pattern is tried on: a pattern may take long. */
const patternLengthMax = 10_000;
const types = ["object", "array", "string", "number", "integer", "boolean", "null"];
const annotations = new Set([
  "$schema",
  "$id",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "format",
  "readOnly",
  "writeOnly",
  "deprecated",
]);
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/**
 * Looks whether a JSON Schema says nothing that is not checked: a keyword that would be passed over in silence is a fault.
 *
 * @param schema The schema.
 * @param path What to call it.
 * @returns The first fault; undefined for none.
 */
export function schemaFault(
  schema: JsonValue | undefined,
  path = "schema",
  depth = 0,
): SchemaFault | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return { path, reason: "want a JSON Schema: an object" };
  if (depth > depthMax) return { path, reason: `nests deeper than ${depthMax} levels` };
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${path}.${keyword}`;
    const fault = keywordFault(keyword, value, at);
    if (fault !== undefined) return { path: at, reason: fault };
    for (const [inner, innerPath] of schemasIn(keyword, value, at)) {
      const found = schemaFault(inner, innerPath, depth + 1);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function* schemasIn(
  keyword: string,
  value: JsonValue,
  path: string,
): Generator<readonly [JsonValue, string]> {
  if (keyword === "items" || keyword === "additionalProperties" || keyword === "not")
    yield [value, path];
  else if (keyword === "properties" && isObject(value))
    for (const [name, schema] of Object.entries(value)) yield [schema, `${path}.${name}`];
  else if ((keyword === "anyOf" || keyword === "allOf") && Array.isArray(value))
    for (const [index, schema] of value.entries()) yield [schema, `${path}[${index}]`];
}

function keywordFault(keyword: string, value: JsonValue, path: string): string | undefined {
  if (annotations.has(keyword)) return undefined;
  if (counts.includes(keyword))
    return Number.isInteger(value) && (value as number) >= 0
      ? undefined
      : "want a whole number of 0 or more";
  if (bounds.includes(keyword)) {
    const isFine = typeof value === "number" && (keyword !== "multipleOf" || value > 0);
    return isFine ? undefined : "want a number";
  }
  switch (keyword) {
    case "type": {
      const named = Array.isArray(value) ? value : [value];
      const isFine =
        named.length > 0 && named.every((each) => types.some((known) => known === each));
      return isFine ? undefined : `want one of ${types.join(", ")}, or a list of them`;
    }
    case "enum":
    case "anyOf":
    case "allOf":
      return Array.isArray(value) && value.length > 0 ? undefined : "want a list, not empty";
    case "required":
      return Array.isArray(value) && value.every((each) => typeof each === "string")
        ? undefined
        : "want a list of names";
    case "properties":
      return isObject(value) ? undefined : "want an object";
    case "pattern":
      return typeof value === "string" && patternOf(value) !== undefined
        ? undefined
        : "want a regular expression";
    case "const":
    case "items":
    case "additionalProperties":
    case "not":
      return undefined;
    default:
      return `the keyword "${path.split(".").at(-1)}" is not checked here, so it must not be there`;
  }
}

/**
 * Checks a value against a schema that `schemaFault` found nothing wrong with.
 *
 * @param schema The schema.
 * @param value The value.
 * @param path What to call it.
 * @returns The first part that does not fit; undefined when all does.
 */
export function misfit(
  schema: JsonValue | undefined,
  value: JsonValue | undefined,
  path = "payload",
): SchemaFault | undefined {
  if (schema === true || schema === undefined) return undefined;
  if (!isObject(schema)) return { path, reason: "must not be there" };
  if (value === undefined) return { path, reason: "is missing" };
  const reason = ownFault(schema, value);
  if (reason !== undefined) return { path, reason };
  for (const part of (schema["allOf"] ?? []) as JsonValue[]) {
    const found = misfit(part, value, path);
    if (found !== undefined) return found;
  }
  const choices = schema["anyOf"] as JsonValue[] | undefined;
  if (choices?.every((choice) => misfit(choice, value, path) !== undefined) === true)
    return { path, reason: "fits none of the forms in anyOf" };
  if (Object.hasOwn(schema, "not") && misfit(schema["not"], value, path) === undefined)
    return { path, reason: "has the form that `not` excludes" };
  return Array.isArray(value)
    ? itemsMisfit(schema, value, path)
    : membersMisfit(schema, value, path);
}

function itemsMisfit(
  { items }: JsonObject,
  values: readonly JsonValue[],
  path: string,
): SchemaFault | undefined {
  for (const [index, value] of values.entries()) {
    const found = misfit(items, value, `${path}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function membersMisfit(
  schema: JsonObject,
  value: JsonValue,
  path: string,
): SchemaFault | undefined {
  if (!isObject(value)) return undefined;
  for (const name of (schema["required"] ?? []) as string[])
    if (!Object.hasOwn(value, name)) return { path: `${path}.${name}`, reason: "is missing" };
  const properties = (schema["properties"] ?? {}) as JsonObject;
  for (const [name, member] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name)
      ? properties[name]
      : schema["additionalProperties"];
    const found = misfit(inner, member, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is wrong with a value itself, leaving out what it holds. */
function ownFault(schema: JsonObject, value: JsonValue): string | undefined {
  const { type } = schema;
  if (type !== undefined) {
    const wanted = (Array.isArray(type) ? type : [type]) as string[];
    if (!wanted.some((each) => isOfType(value, each)))
      return `is ${typeName(value)}, want ${wanted.join(" or ")}`;
  }
  if (Object.hasOwn(schema, "const") && !isSame(schema["const"], value))
    return `must be ${JSON.stringify(schema["const"])}`;
  const choices = schema["enum"] as JsonValue[] | undefined;
  if (choices !== undefined && !choices.some((choice) => isSame(choice, value)))
    return `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
  if (typeof value === "number") return numberFault(schema, value);
  if (typeof value === "string") return textFault(schema, value);
  if (Array.isArray(value)) return countFault(schema, "Items", value.length);
  return isObject(value) ? countFault(schema, "Properties", Object.keys(value).length) : undefined;
}

function numberFault(schema: JsonObject, value: number): string | undefined {
  const bound = (name: string): number | undefined => schema[name] as number | undefined;
  const { minimum, maximum } = { minimum: bound("minimum"), maximum: bound("maximum") };
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  const [above, below] = [bound("exclusiveMinimum"), bound("exclusiveMaximum")];
  if (above !== undefined && value <= above) return `must be more than ${above}`;
  if (below !== undefined && value >= below) return `must be less than ${below}`;
  const step = bound("multipleOf");
  if (step !== undefined && !Number.isInteger(value / step)) return `must be a multiple of ${step}`;
  return undefined;
}

function textFault(schema: JsonObject, value: string): string | undefined {
  const lengthFault = countFault(schema, "Length", characterCount(value));
  const { pattern } = schema;
  if (lengthFault !== undefined || typeof pattern !== "string") return lengthFault;
  if (value.length > patternLengthMax) return `is longer than ${patternLengthMax} characters`;
  return patternOf(pattern)?.test(value) === true ? undefined : `does not match ${pattern}`;
}

/** As JSON Schema counts: code points. */
function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function countFault(
  schema: JsonObject,
  of: "Length" | "Items" | "Properties",
  count: number,
): string | undefined {
  const [least, most] = [schema[`min${of}`], schema[`max${of}`]];
  const what = of === "Length" ? "characters" : of.toLowerCase();
  if (typeof least === "number" && count < least)
    return `has ${count} ${what}, want ${least} or more`;
  if (typeof most === "number" && count > most) return `has ${count} ${what}, want at most ${most}`;
  return undefined;
}

function patternOf(text: string): RegExp | undefined {
  try {
    return new RegExp(text, "u");
  } catch {
    return undefined;
  }
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  const found = typeName(value);
  return found === type;
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
