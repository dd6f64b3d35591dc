import type {
  JsonObject,
  JsonValue,
  MessageSchemas,
  SchemaShape,
  StandardSchema,
} from "../../core/index.ts";
import type { RouteDescription } from "./openapi.ts";

/** The type of what comes over HTTP, when the client names none. */
const typeDefault = "http.request";

/**
 * Adds to a route what the schemas of its agent say. What the route says itself goes before it.
 *
 * @param route A route to one agent.
 * @param schemas Of the agent's class; undefined for none.
 * @returns The route with the schemas of its request and its reply, where the schemas can be written as JSON Schema.
 */
export function describeBySchemas(
  route: RouteDescription,
  schemas: MessageSchemas | undefined,
): RouteDescription {
  if (schemas === undefined) return route;
  const definitions: { [name: string]: JsonObject } = {};
  const types = schemas.shapeOf(typeDefault) === undefined ? schemas.types : [typeDefault];
  const anyOf = (pick: (shape: SchemaShape, name: string) => JsonObject | undefined) => {
    const found = types.flatMap((type) => {
      const shape = schemas.shapeOf(type);
      const made = shape && pick(shape, `${route.tag}.${type}`.replaceAll(/[^\w.-]/g, "_"));
      return made === undefined ? [] : [made];
    });
    const [first] = found;
    if (first === undefined || found.length < types.length) return undefined;
    return found.length === 1 ? first : { anyOf: found };
  };
  const request = anyOf(({ payload }, name) =>
    jsonSchemaOf(payload, { direction: "input", name: `${name}.payload`, definitions }),
  );
  const response = anyOf((shape, name) => {
    const isStream = route.mode === "stream" && shape.chunk !== undefined;
    const part = isStream ? "chunk" : "reply";
    return jsonSchemaOf(shape[part], { direction: "output", name: `${name}.${part}`, definitions });
  });
  return {
    ...route,
    types: schemas.types,
    ...(route.request === undefined && request !== undefined
      ? splitRequest(request, route.path)
      : {}),
    response: route.response ?? response,
    definitions,
  };
}

/** Takes out of the schema of a payload the members that the path gives. */
function splitRequest(
  request: JsonObject,
  path: string,
): Pick<RouteDescription, "request" | "pathMembers"> {
  const { properties, required } = request;
  if (!isObject(properties)) return { request };
  const names = [...path.matchAll(/\{([^{}*]+)\*?\}/g)].map(([, name]) => name);
  const pathMembers = properties as { readonly [name: string]: JsonObject };
  const isInBody = (name: JsonValue): boolean => !names.includes(name as string);
  const kept = Object.entries(properties).filter(([name]) => isInBody(name));
  const rest: JsonObject = { ...request, properties: Object.fromEntries(kept) };
  if (Array.isArray(required)) rest["required"] = required.filter(isInBody);
  return { request: rest, pathMembers };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonSchemaOf(
  schema: StandardSchema | undefined,
  into: {
    readonly direction: "input" | "output";
    readonly name: string;
    readonly definitions: { [name: string]: JsonObject };
  },
): JsonObject | undefined {
  const { direction, name, definitions } = into;
  const made = toJsonSchema(schema, direction);
  if (made === undefined) return undefined;
  const text = JSON.stringify(made);
  if (!text.includes('"$ref":"#')) return made;
  // A schema that refers to a part of itself has a place of its own, and its references lead there.
  const place = `#/components/schemas/${name}`;
  definitions[name] = JSON.parse(text.replaceAll('"$ref":"#', `"$ref":"${place}`)) as JsonObject;
  return { $ref: place };
}

/**
 * Says what a schema of an agent's class takes, or makes.
 *
 * @param schema Of a part of a message.
 * @param direction `input` for what is sent, `output` for what comes back.
 * @returns Undefined where the schema, or its library, cannot say it: a transformation or a class has no JSON Schema.
 */
export function toJsonSchema(
  schema: StandardSchema | undefined,
  direction: "input" | "output",
): JsonObject | undefined {
  try {
    const made = schema?.["~standard"].jsonSchema?.[direction]({ target: "draft-2020-12" });
    const text = made && JSON.stringify({ ...made, $schema: undefined });
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  } catch {
    return undefined;
  }
}
