import type { JsonObject } from "../../core/index.ts";
import { type Operation, operations } from "./operations.ts";
import { schemas } from "./schemas.ts";
import { ref } from "./shapes.ts";

/**
 * Makes the OpenAPI 3.1 document of a control plane.
 *
 * @param options.title Name of the topology server.
 * @param options.prefix What goes before every path; empty for nothing.
 * @returns The document.
 */
export function controlDocument({
  title,
  prefix,
}: {
  readonly title: string;
  readonly prefix: string;
}): JsonObject {
  const paths: { [path: string]: { [method: string]: JsonObject } } = {};
  for (const operation of operations) {
    const [method = "", path = ""] = operation.route.split(" ");
    const item = (paths[`${prefix}${path}`] ??= {});
    item[method.toLowerCase()] = describe(operation, { method, path });
  }
  return {
    openapi: "3.1.0",
    info: { title, version: "1.0.0" },
    paths,
    components: { schemas },
  };
}

function describe(
  operation: Operation,
  { method, path }: { readonly method: string; readonly path: string },
): JsonObject {
  const { summary, body, canFollow = false } = operation;
  const query = {
    ...operation.query,
    ...(canFollow ? { follow: { type: "boolean", default: false } } : {}),
  };
  const names = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = ""]) => name);
  return {
    summary,
    operationId: `${method}${path}`
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, "_")
      .replace(/_$/, ""),
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema })),
    ],
    ...(body === undefined ? {} : { requestBody: { content: contentOf(body) } }),
    responses: responsesOf(operation),
  };
}

const refusalTexts: { readonly [status: number]: string } = {
  400: "The request cannot be read.",
  401: "The client is not known.",
  403: "The client may not do this, or comes from elsewhere.",
  404: "There is nothing of that name.",
  409: "It cannot be done to that one, or not now.",
  413: "The body is too long.",
  415: "The body is not JSON.",
  503: "It has no room, or is going away.",
};

function responsesOf({
  answers,
  refusals = [],
  isUngated = false,
  canFollow = false,
  body,
}: Operation): JsonObject {
  const everywhere = isUngated ? [403] : [401, 403];
  const ofBodies = body === undefined ? [] : [400, 413, 415];
  const statuses = [...new Set<number>([...everywhere, ...ofBodies, ...refusals])].sort(
    (a, b) => a - b,
  );
  return {
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        { description: refusalTexts[status] ?? "", content: contentOf(ref("Error")) },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        answer === null
          ? { description: "Nothing is to be said." }
          : { description: "What was asked for.", content: answerContent(answer, canFollow) },
      ]),
    ),
  };
}

function answerContent(answer: JsonObject | string, canFollow: boolean): JsonObject {
  const content = typeof answer === "string" ? textOf(answer) : contentOf(answer);
  return canFollow ? { ...content, ...textOf("text/event-stream") } : content;
}

function textOf(contentType: string): JsonObject {
  return { [contentType.split(";", 1)[0] ?? contentType]: { schema: { type: "string" } } };
}

function contentOf(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}
