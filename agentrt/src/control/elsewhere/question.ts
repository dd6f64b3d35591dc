import type { JsonObject, JsonValue } from "../../core/index.ts";
import { type GatewayResponse, principalOf } from "../../gateway/index.ts";
import type { ControlRequest } from "./control-request.ts";
import { isObject, textOf } from "./json-members.ts";

/** Writes a question that no client asks, and that is about no agent. */
export function ownQuestion(route: string, query: { readonly [name: string]: string }): JsonObject {
  return { route, agent: "", query: { ...query } };
}

/** Writes a request for another process: what its routes look at, and who asks. */
export function questionOf(route: string, request: ControlRequest): JsonObject {
  const { pathParams, queryParams, body, requestId } = request;
  return {
    route,
    agent: pathParams["name"] ?? "",
    path: { ...pathParams },
    query: { ...queryParams },
    body,
    principal: principalOf(request),
    request_id: requestId,
  };
}

/** Reads it; what is missing is empty, and refused by who looks for it. */
export function readQuestion(question: JsonObject): {
  readonly route: string;
  readonly request: ControlRequest;
} {
  const { route, body, principal, request_id: requestId } = question;
  return {
    route: textOf(route),
    request: {
      pathParams: textsOf(question["path"]),
      queryParams: textsOf(question["query"]),
      body: isObject(body) ? body : {},
      requestId: textOf(requestId),
      auth: { id: textOf(principal) },
    },
  };
}

/** Writes a response. */
export function answerOf({ status, body, headers, text }: GatewayResponse): JsonObject {
  const answer = { status, body: body ?? null, headers: { ...headers } };
  return text === undefined ? answer : { ...answer, text };
}

/** Reads it. */
export function readAnswer(answer: JsonObject): GatewayResponse {
  const { status, body = null } = answer;
  const headers = textsOf(answer["headers"]);
  const { text } = answer;
  const read = { status: typeof status === "number" ? status : 502, body, headers };
  return typeof text === "string" ? { ...read, body: undefined, text } : read;
}

function textsOf(value: JsonValue | undefined): { readonly [name: string]: string } {
  const pairs = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    pairs.flatMap(([name, text]) => (typeof text === "string" ? [[name, text] as const] : [])),
  );
}
