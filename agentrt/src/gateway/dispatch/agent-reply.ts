import { type JsonObject, type ReplyHead, replyHeadOf } from "../../core/index.ts";
import { connectionHeaders } from "../connection-headers.ts";
import { validateHeaderName, validateHeaderValue } from "../node-http.ts";
import type { GatewayResponse } from "../request.ts";

/** A reply that an agent made with `httpReply`, and that no response can say; its message says why. */
export class ReplyFault extends Error {}

const statusMin = 200;
const statusMax = 599;
const statusesWithoutBody = new Set([204, 205, 304]);
const contentTypeHeader = "content-type";
const cookieHeader = "set-cookie";
/** Headers of the connection that the listener would leave out: who sets one of them means something else. */
const refusedHeaders = new Set([...connectionHeaders, "te", "trailer"]);

/**
 * Makes the response of a call from the reply of its agent.
 *
 * @param reply The payload.
 * @returns With 200, or 400 when the reply has a member `error`, unless the agent chose a status.
 * @throws ReplyFault for a status or a header that cannot be sent.
 */
export function replyResponse(reply: JsonObject): GatewayResponse {
  const head = replyHeadOf(reply);
  const status = head?.status ?? (Object.hasOwn(reply, "error") ? 400 : 200);
  if (head === undefined) return { status, body: reply };
  checkStatus(status, head);
  const { headers, setCookies } = headersOf(head);
  return {
    status,
    body: undefined,
    ...contentOf(reply, head),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(setCookies.length === 0 ? {} : { setCookies }),
  };
}

/**
 * The same for a listener that sends only payloads: statuses of success are 200, and above stays what it is.
 *
 * @param reply The payload.
 * @throws ReplyFault as `replyResponse` does.
 */
export function payloadResponse(reply: JsonObject): GatewayResponse {
  const head = replyHeadOf(reply);
  const response = head === undefined ? undefined : replyResponse(reply);
  if (head?.status === undefined || response === undefined || response.status < 400)
    return { status: 200, body: reply };
  const { status, text } = response;
  return { status, body: text === undefined ? reply : { error: text } };
}

function checkStatus(status: number, { body }: ReplyHead): void {
  if (!Number.isInteger(status) || status < statusMin || status > statusMax)
    throw new ReplyFault(`status ${status} is not a whole number of ${statusMin} to ${statusMax}`);
  if (body !== "none" && statusesWithoutBody.has(status))
    throw new ReplyFault(`status ${status} has no body, and the reply has one`);
}

function contentOf(reply: JsonObject, { body }: ReplyHead): Partial<GatewayResponse> {
  const { data = null } = reply;
  const text = typeof data === "string" ? data : "";
  switch (body) {
    case "none":
      return {};
    case "payload":
      return { body: reply };
    case "data":
      return { body: data };
    case "text":
      return { text };
    case "base64":
      return { bytes: Buffer.from(text, "base64") };
    default:
      return body satisfies never;
  }
}

function headersOf(head: ReplyHead): {
  readonly headers: { readonly [name: string]: string };
  readonly setCookies: readonly string[];
} {
  const headers: { [name: string]: string } = {};
  const setCookies: string[] = [];
  for (const [given, value] of Object.entries(head.headers)) {
    const name = given.toLowerCase();
    const values = checkHeader(name, value);
    if (name === cookieHeader) setCookies.push(...values);
    else headers[name] = values.join(", ");
  }
  const type = head.contentType ?? headers[contentTypeHeader] ?? typeDefaults[head.body];
  if (type !== undefined) {
    checkHeader(contentTypeHeader, type);
    headers[contentTypeHeader] = withCharset(type, head);
  }
  return { headers, setCookies };
}

const typeDefaults: { readonly [body in ReplyHead["body"]]?: string } = {
  text: "text/plain; charset=utf-8",
  base64: "application/octet-stream",
};

/** Text leaves as UTF-8, and a browser that is not told so guesses. */
function withCharset(type: string, { body }: ReplyHead): string {
  const isBareText = body === "text" && /^text\/[^;]+$/i.test(type);
  return isBareText ? `${type}; charset=utf-8` : type;
}

function checkHeader(name: string, value: unknown): readonly string[] {
  if (refusedHeaders.has(name)) throw new ReplyFault(`header "${name}" is the listener's to set`);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  try {
    validateHeaderName(name);
    for (const each of values) {
      if (typeof each !== "string") throw new ReplyFault(`header "${name}" is not text`);
      validateHeaderValue(name, each);
    }
  } catch (error) {
    if (error instanceof ReplyFault) throw error;
    // The value may be a client's own words, so it stands nowhere.
    throw new ReplyFault(`header ${JSON.stringify(name)} has a character that no header may have`);
  }
  return values as string[];
}
