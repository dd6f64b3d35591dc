import assert from "node:assert/strict";
import { test } from "node:test";
import { httpReply, type JsonObject, replyHeadOf } from "../core/index.ts";
import { decodeReplyHead, encodeReplyHead } from "./reply-head-codec.ts";

test("what httpReply said of a reply is the same behind the wire, whatever its body is", () => {
  const headers = { location: "/a", "set-cookie": ["a=1", "b=2"] };
  for (const body of [undefined, "text", new Uint8Array([1, 2]), [1, 2], { id: 7 }]) {
    const reply = httpReply({ status: 201, headers, contentType: "x/y", body }) as JsonObject;
    const copy = structuredClone(reply);
    decodeReplyHead(JSON.parse(JSON.stringify(encodeReplyHead(reply))) as JsonObject, copy);
    assert.deepEqual(copy, reply);
    assert.deepEqual(replyHeadOf(copy), replyHeadOf(reply));
  }
  assert.equal(encodeReplyHead({ id: 7 }), null);
});

test("what is wrong in a head is left out", () => {
  const reply: JsonObject = { id: 7 };
  decodeReplyHead(
    { status: "201", headers: { a: "b", c: 1, d: ["e", 2] }, content_type: 5, body: "elsewhere" },
    reply,
  );
  assert.deepEqual(replyHeadOf(reply), {
    status: undefined,
    headers: { a: "b" },
    contentType: undefined,
    body: "payload",
  });
});
