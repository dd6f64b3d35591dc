import assert from "node:assert/strict";
import { test } from "node:test";
import { copyJson } from "./copy-json.ts";

test("a copy of JSON is equal and shares nothing with what it was made of", () => {
  const source = { a: 1, text: "x", nothing: null, list: [1, { b: [true] }], deep: { c: {} } };
  const copy = copyJson(source);
  assert.deepEqual(copy, source);
  (source.list[1] as { b: boolean[] }).b.push(false);
  source.deep.c = { changed: true };
  assert.deepEqual(copy, {
    a: 1,
    text: "x",
    nothing: null,
    list: [1, { b: [true] }],
    deep: { c: {} },
  });
});

test("a member named __proto__ stays an ordinary member", () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"admin":true}}') as object);
  assert.deepEqual(Object.keys(copy), ["__proto__"]);
  assert.equal((copy as { admin?: boolean }).admin, undefined);
});
