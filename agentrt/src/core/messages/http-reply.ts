import type { JsonObject, JsonValue } from "../values/index.ts";

/** Headers by name in any case. A list is one header for each of its values, as `set-cookie` needs it. */
export type HttpReplyHeaders = { readonly [name: string]: string | readonly string[] };

/** What an agent says to a client of HTTP, besides its reply. */
export interface HttpReplyOptions<Body> {
  /** HTTP status, 200 to 599. Default as for any reply: 200, and 400 when the reply has a member `error`. */
  readonly status?: number | undefined;
  /**
   * Headers of the response. Those of the connection (`content-length`, `transfer-encoding` and their like) are refused, and so are
   * values with a line break: the client gets 500, and the log says why.
   */
  readonly headers?: HttpReplyHeaders | undefined;
  /**
   * Default `application/json`; of text `text/plain; charset=utf-8`, of bytes `application/octet-stream`. A text type
   * without a charset gets `charset=utf-8`.
   */
  readonly contentType?: string | undefined;
  /** Plain JSON is sent as JSON, text and bytes as they are. Default no body. */
  readonly body?: Body | undefined;
}

/**
 * The payload of such a reply, which is all that callers without HTTP see: an object is itself, anything else is in
 * `data`, bytes in base64.
 */
export type HttpReplyPayload<Body> = [Body] extends [undefined]
  ? { [name: string]: never }
  : [Body] extends [string | Uint8Array]
    ? { data: string }
    : [Body] extends [number | boolean | null | readonly unknown[]]
      ? { data: Body }
      : Body & object;

/** What a listener of HTTP makes of a reply. Only the runtime sees it. */
export interface ReplyHead {
  readonly status: number | undefined;
  readonly headers: HttpReplyHeaders;
  readonly contentType: string | undefined;
  /** Where the body is: nowhere, the whole payload, or its member `data`, as JSON, as text or as bytes in base64. */
  readonly body: "none" | "payload" | "data" | "text" | "base64";
}

/** Under this the head is kept with a payload. No client can send it, no copy of members takes it along. */
const headKey = Symbol("agentrt.replyHead");

/**
 * Makes a reply with a status, headers and a content type for clients of HTTP. Callers without HTTP get the body: other
 * agents, WebSocket and gRPC, which makes its own status of 400 and above. Nothing is checked here: what cannot be sent
 * is 500 for the client and a line in the log, and no fault of the agent.
 *
 * @param options Status, headers, content type and body, each of them optional.
 * @returns What `handle` returns, or a deferred reply sends. A chunk of a stream is its body only.
 * @example
 * return httpReply({ status: 201, headers: { location: "/orders/7" }, body: { id: 7 } });
 */
export function httpReply<const Body extends object | JsonValue | undefined = undefined>(
  options: HttpReplyOptions<Body>,
): HttpReplyPayload<Body> {
  const { status, contentType, body } = options;
  const headers: { [name: string]: string | readonly string[] } = {};
  for (const [name, value] of Object.entries(options.headers ?? {}))
    headers[name] = typeof value === "string" ? value : [...value];
  const { place, payload } = payloadOf(body);
  const head: ReplyHead = Object.freeze({ status, headers, contentType, body: place });
  return withHead(payload, head) as HttpReplyPayload<Body>;
}

function payloadOf(body: unknown): {
  readonly place: ReplyHead["body"];
  readonly payload: object;
} {
  if (body === undefined) return { place: "none", payload: {} };
  if (typeof body === "string") return { place: "text", payload: { data: body } };
  if (body instanceof Uint8Array) return { place: "base64", payload: { data: base64Of(body) } };
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return isObject
    ? { place: "payload", payload: shallowCopy(body) }
    : { place: "data", payload: { data: body } };
}

/** Of the same class, so that an object that is not plain is refused where every reply is. */
function shallowCopy(body: object): object {
  const prototype = Object.getPrototypeOf(body) as object | null;
  return Object.create(prototype, Object.getOwnPropertyDescriptors(body)) as object;
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function withHead<Payload extends object>(payload: Payload, head: ReplyHead): Payload {
  return Object.defineProperty(payload, headKey, { value: head });
}

/** @returns What `httpReply` said of a reply; undefined for any other one. */
export function replyHeadOf(reply: object): ReplyHead | undefined {
  return (reply as { readonly [headKey]?: ReplyHead })[headKey];
}

/**
 * Gives a reply that came from another process the head that it had there.
 *
 * @param payload Changed.
 */
export function giveReplyHead(payload: JsonObject, head: ReplyHead): void {
  withHead(payload, head);
}

/**
 * Gives the copy of a reply the head of the reply.
 *
 * @param reply As the handler gave it.
 * @param copy Changed, when there is a head.
 */
export function keepReplyHead(reply: object, copy: JsonObject): void {
  const head = replyHeadOf(reply);
  if (head !== undefined) withHead(copy, head);
}
