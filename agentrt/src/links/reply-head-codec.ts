import {
  giveReplyHead,
  type HttpReplyHeaders,
  type JsonObject,
  type ReplyHead,
  replyHeadOf,
} from "../core/index.ts";

const bodyPlaces: ReadonlySet<unknown> = new Set<ReplyHead["body"]>([
  "none",
  "payload",
  "data",
  "text",
  "base64",
]);

/** Writes what `httpReply` said of a reply for another process; null for any other reply. */
export function encodeReplyHead(reply: JsonObject): JsonObject | null {
  const head = replyHeadOf(reply);
  if (head === undefined) return null;
  const { status = null, headers, contentType = null, body } = head;
  const written = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === "string" ? value : [...value],
  ]);
  return { status, headers: Object.fromEntries(written), content_type: contentType, body };
}

/**
 * Reads it, and gives it to the reply. What is wrong in it is left out; what no response can say is refused where any
 * other head is.
 *
 * @param head As it came, or null for none.
 * @param reply Changed, when there is a head.
 */
export function decodeReplyHead(head: JsonObject | null, reply: JsonObject): void {
  if (head === null) return;
  const { status, headers, content_type: contentType, body } = head;
  giveReplyHead(reply, {
    status: typeof status === "number" ? status : undefined,
    headers: headersOf(headers),
    contentType: typeof contentType === "string" ? contentType : undefined,
    body: bodyPlaces.has(body) ? (body as ReplyHead["body"]) : "payload",
  });
}

function headersOf(value: unknown): HttpReplyHeaders {
  if (typeof value !== "object" || value === null) return {};
  const isText = (each: unknown): boolean => typeof each === "string";
  const known = Object.entries(value).filter(
    ([, each]) => isText(each) || (Array.isArray(each) && each.every(isText)),
  );
  return Object.fromEntries(known);
}
