import assert from "node:assert/strict";
import { test } from "node:test";
import { copyPayload } from "../../bus/copy-payload.ts";
import { httpReply, keepReplyHead, replyHeadOf } from "./http-reply.ts";

test("httpReply() is the body for callers without HTTP: an object itself, anything else in data, bytes in base64", () => {
  const order: { id: number } = httpReply({ status: 201, body: { id: 7 } });
  const text: { data: string } = httpReply({ body: "hello" });
  assert.deepStrictEqual(order, { id: 7 });
  assert.deepStrictEqual(text, { data: "hello" });
  assert.deepStrictEqual(httpReply({ body: new Uint8Array([255, 0]) }), { data: "/wA=" });
  assert.deepStrictEqual(httpReply({ body: [1] }), { data: [1] });
  assert.deepStrictEqual(httpReply({ body: null }), { data: null });
  assert.deepStrictEqual(httpReply({ status: 204 }), {});
});

test("httpReply() leaves the body that it was given as it was, frozen or not, and takes copies of headers", () => {
  const body = Object.freeze({ id: 7 });
  const cookies = ["a=1"];
  const reply = httpReply({ headers: { "set-cookie": cookies }, body });
  cookies.push("b=2");
  assert.equal(replyHeadOf(body), undefined);
  assert.deepEqual(replyHeadOf(reply)?.headers, { "set-cookie": ["a=1"] });
});

test("a reply head shows in no JSON and no copy of members, and is carried to the copy of a reply alone", () => {
  const reply = httpReply({ status: 201, body: { id: 7 } });
  const copy = copyPayload(reply);
  assert.equal(JSON.stringify(reply), '{"id":7}');
  assert.equal(replyHeadOf({ ...reply }), undefined);
  assert.equal(replyHeadOf(copy), undefined);
  keepReplyHead(reply, copy);
  assert.equal(replyHeadOf(copy)?.status, 201);
});

test("httpReply() of what is no plain object is refused as any reply is", () => {
  assert.throws(() => copyPayload(httpReply({ body: new Map() })), /a Map/);
});
