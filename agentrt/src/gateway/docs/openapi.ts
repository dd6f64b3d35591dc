import type { JsonObject } from "../../core/index.ts";

/** What the API's description says of one route. */
export interface RouteDescription {
  /** HTTP method, any case. */
  readonly method: string;
  /** Path pattern with `{name}` placeholders. */
  readonly path: string;
  /** Groups the routes; the name of the agent. */
  readonly tag: string;
  readonly mode: "call" | "cast" | "stream";
  /** JSON Schema of the body, or of the query where there is no body; default any object. */
  readonly request?: JsonObject | undefined;
  /** JSON Schema of the reply, or of each event of a stream; default any object. */
  readonly response?: JsonObject | undefined;
  /** Schemas of what the placeholders of the path stand for; default text. */
  readonly pathMembers?: { readonly [name: string]: JsonObject } | undefined;
  /** Message types that the agent declares; default any. */
  readonly types?: readonly string[] | undefined;
  /** Schemas that the others refer to, by the name under which they are found. */
  readonly definitions?: { readonly [name: string]: JsonObject } | undefined;
}

/** What `refuseType` accepts, as JSON Schema can say it: visible ASCII without a comma, outside of the runtime's own. */
const typePattern = String.raw`^(?!(?:_[Aa][Gg][Ee][Nn][Cc][Yy]|[Aa][Gg][Ee][Nn][Tt][Rr][Tt])\.)[!-+\--~]{1,128}$`;

const anyObject: JsonObject = { type: "object", additionalProperties: true };
const methodsWithBody = new Set(["POST", "PUT", "PATCH"]);

/**
 * Makes the OpenAPI 3.1 document of a gateway.
 *
 * @param title Name of the gateway.
 * @param routes In order of declaration; of two with the same method and path the first, as the router takes it.
 * @returns The document.
 */
export function openApiDocument(title: string, routes: readonly RouteDescription[]): JsonObject {
  const paths: { [path: string]: JsonObject } = {};
  const operationIds = new Set<string>();
  const schemas: JsonObject = {};
  for (const route of routes) {
    const item = (paths[plainPath(route.path)] ??= {});
    const method = route.method.toLowerCase();
    if (Object.hasOwn(item, method)) continue;
    item[method] = operationOf(route, operationIds);
    Object.assign(schemas, route.definitions);
  }
  return {
    openapi: "3.1.0",
    info: { title, version: "1.0.0" },
    paths,
    components: {
      schemas: {
        Error: {
          type: "object",
          properties: { error: { type: "string" } },
          required: ["error"],
        },
        ...schemas,
      },
    },
  };
}

/** OpenAPI has no sign for the rest of a path: it is a placeholder as any other. */
function plainPath(path: string): string {
  return path.replace(/\*\}$/, "}");
}

function operationOf(route: RouteDescription, operationIds: Set<string>): JsonObject {
  const { method, path, tag, mode } = route;
  const names = [...path.matchAll(/\{([^{}*]+)\*?\}/g)].map(([, name = ""]) => name);
  const isRest = (name: string): boolean => path.endsWith(`{${name}*}`);
  const hasBody = methodsWithBody.has(method.toUpperCase());
  const { request = anyObject, pathMembers = {} } = route;
  return {
    tags: [tag],
    summary: `${mode.toUpperCase()} → ${tag}`,
    operationId: uniqueId(`${tag}__${method.toLowerCase()}__${slugOf(path)}`, operationIds),
    parameters: [
      ...names.map((name) => ({
        name,
        in: "path",
        required: true,
        ...(isRest(name)
          ? { description: "The rest of the path, with its slashes.", "x-rest": true }
          : {}),
        schema: pathMembers[name] ?? { type: "string" },
      })),
      ...(hasBody ? [] : queryParameters(request)),
      {
        name: "X-Agentrt-Type",
        in: "header",
        required: false,
        description: "Type of the message, http.request without it.",
        schema: { type: "string", pattern: typePattern, ...examplesOf(route) },
      },
    ],
    ...(hasBody ? { requestBody: { content: jsonContent(request) } } : {}),
    responses: responsesOf(route),
  };
}

/** Without a body the members of a payload come from the query. */
function queryParameters({ properties = {}, required }: JsonObject): JsonObject[] {
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: "query",
    required: names.includes(name),
    schema,
  }));
}

function examplesOf({ types = [] }: RouteDescription): JsonObject {
  return types.length === 0 ? {} : { examples: [...types] };
}

function responsesOf({ mode, response = anyObject }: RouteDescription): JsonObject {
  const error = (description: string): JsonObject => ({
    description,
    content: jsonContent({ $ref: "#/components/schemas/Error" }),
  });
  const errors = {
    "400": error("The request is malformed, or the agent refused it."),
    "404": error("There is no such agent."),
    "502": error("The agent crashed."),
    "503": error("The agent takes no more messages, or the gateway is stopping."),
  };
  switch (mode) {
    case "call":
      return {
        "200": { description: "The agent's reply.", content: jsonContent(response) },
        ...errors,
        "504": error("No reply came in time."),
        default: { description: "Another status or content type, which the agent chose." },
      };
    case "cast":
      return {
        "202": { description: "The message was taken.", content: jsonContent(anyObject) },
        ...errors,
        "504": error("The message was not taken in time."),
      };
    case "stream":
      return {
        "200": {
          description: "The agent's chunks as server-sent events; `data` of each is JSON.",
          content: { "text/event-stream": { schema: response } },
        },
        ...errors,
        "504": error("No reply came in time."),
      };
    default:
      return mode satisfies never;
  }
}

function jsonContent(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

function slugOf(path: string): string {
  return path.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
}

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}_${number}`;
  taken.add(id);
  return id;
}
