import assert from "node:assert/strict";
import { test } from "node:test";
import { httpReply, type HttpReplyOptions, type JsonObject } from "../../core/index.ts";
import { payloadResponse, replyResponse } from "./agent-reply.ts";

const respond = (options: HttpReplyOptions<JsonObject | string>) =>
  replyResponse(httpReply(options));

test("replyResponse() refuses what no response can say, and names it without its value", () => {
  const line = 'header "x-a" has a character that no header may have';
  const rows: readonly (readonly [HttpReplyOptions<JsonObject>, string])[] = [
    [{ headers: { "x-a": "b\r\nset-cookie: c=d" } }, line],
    [{ headers: { "x-a": ["b", "c\0"] } }, line],
    [{ headers: { "x-a": "\u20ac" } }, line],
    [{ headers: { "a b": "c" } }, 'header "a b" has a character that no header may have'],
    [{ headers: { ":status": "200" } }, 'header ":status" has a character that no header may have'],
    [{ headers: { "": "c" } }, 'header "" has a character that no header may have'],
    [{ headers: { "Content-Length": "3" } }, 'header "content-length" is the listener\'s to set'],
    [{ headers: { TE: "trailers" } }, 'header "te" is the listener\'s to set'],
    [
      { contentType: "text/html\n" },
      'header "content-type" has a character that no header may have',
    ],
    [{ status: 199 }, "status 199 is not a whole number of 200 to 599"],
    [{ status: 600 }, "status 600 is not a whole number of 200 to 599"],
    [{ status: 200.5 }, "status 200.5 is not a whole number of 200 to 599"],
    [{ status: 204, body: {} }, "status 204 has no body, and the reply has one"],
    [{ status: 304, body: {} }, "status 304 has no body, and the reply has one"],
  ];
  for (const [options, message] of rows)
    assert.throws(() => respond(options), { message }, JSON.stringify(options));
});

test("replyResponse() says in UTF-8 what text says, and takes the content type from either place", () => {
  const typeOf = (options: HttpReplyOptions<JsonObject | string>) =>
    respond(options).headers?.["content-type"];
  assert.equal(typeOf({ body: "a" }), "text/plain; charset=utf-8");
  assert.equal(typeOf({ body: "a", contentType: "text/csv" }), "text/csv; charset=utf-8");
  assert.equal(
    typeOf({ body: "a", contentType: "text/csv;header=present" }),
    "text/csv;header=present",
  );
  assert.equal(
    typeOf({ body: "a", headers: { "Content-Type": "image/svg+xml" } }),
    "image/svg+xml",
  );
  assert.equal(
    typeOf({ body: {}, contentType: "application/problem+json" }),
    "application/problem+json",
  );
  assert.equal(typeOf({ body: {} }), undefined);
});

test("payloadResponse() keeps statuses of 400 and above, and makes one of all others", () => {
  const statusOf = (options: HttpReplyOptions<JsonObject>) =>
    payloadResponse(httpReply(options)).status;
  assert.deepEqual(
    [200, 201, 303, 399, 400, 503].map((status) => statusOf({ status })),
    [200, 200, 200, 200, 400, 503],
  );
  assert.equal(payloadResponse({ error: "no" }).status, 200);
});
