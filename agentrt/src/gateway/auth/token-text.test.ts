import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readTokenHeader, tokenLengthMax } from "./token-text.ts";

const part = (text: string): string => Buffer.from(text).toString("base64url");
const header = part('{"alg":"RS256","kid":"k"}');

test("readTokenHeader() reads algorithm and key id, and nothing else", () => {
  assert.deepEqual(readTokenHeader(`${header}.${part("{}")}.c2ln`), {
    algorithm: "RS256",
    keyId: "k",
  });
});

test("readTokenHeader() finds names that stand twice at any depth, and no others", () => {
  const rows: readonly (readonly [claims: string, isRead: boolean])[] = [
    ['{"a":1,"b":1}', true],
    ['{"a":{"a":{"a":1}}}', true],
    ['[{"a":1},{"a":1}]', false], // Claims are an object.
    ['{"l":[{"a":1},{"a":1}]}', true],
    ['{"l":[{"a":1,"a":1}]}', false],
    ['{"a":"a","b":"\\"a\\":"}', true],
    ['{"a" : 1, "a"\n: 2}', false],
    ['{"a\\"":1,"a":2}', true],
    [String.raw`{"a":1,"\u0061":2}`, false],
    [String.raw`{"\\":1,"a":"\\"}`, true],
    ['{"__proto__":1,"constructor":2}', true],
  ];
  for (const [claims, isRead] of rows) {
    assert.equal(readTokenHeader(`${header}.${part(claims)}.c2ln`) !== undefined, isRead, claims);
  }
});

test("readTokenHeader() refuses any text that is no token, without throwing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
      assert.equal(readTokenHeader(text), undefined);
      readTokenHeader(`${header}.${part(text)}.c2ln`);
      readTokenHeader(`${part(text)}.${header}.c2ln`);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      readTokenHeader(`${Buffer.from(bytes).toString("base64url")}.${header}.c2ln`);
    }),
  );
});

test("readTokenHeader() is quick on text made to be slow", () => {
  for (const claims of [
    '"'.repeat(6000),
    '{"a":'.repeat(1000),
    "\\".repeat(6000),
    "[".repeat(6000),
  ]) {
    assert.equal(readTokenHeader(`${header}.${part(claims)}.c2ln`), undefined);
  }
  // The work is bounded by the length alone: the longest token is read, one character more is not looked at.
  const head = `${header}.${part(`{"a":${"[".repeat(2900)}${"]".repeat(2900)}}`)}.`;
  const longest = head + "A".repeat(tokenLengthMax - head.length);
  assert.equal(longest.length, tokenLengthMax);
  assert.notEqual(readTokenHeader(longest), undefined);
  assert.equal(readTokenHeader(`${longest}c`), undefined);
});
