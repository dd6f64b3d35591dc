import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { copyPayload, payloadDepthMax } from "./copy-payload.ts";

test("copyPayload() equals the JSON round trip of any plain JSON object, and shares nothing with it", () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
  fc.assert(
    fc.property(json, (payload) => {
      const copy = copyPayload(payload);
      // -0 is the one number that JSON text does not keep.
      const roundTrip: unknown = JSON.parse(JSON.stringify(payload));
      assert.deepEqual(JSON.parse(JSON.stringify(copy)), roundTrip);
      assertNothingShared(payload, copy);
    }),
  );
});

function assertNothingShared(one: unknown, other: unknown): void {
  if (typeof one !== "object" || one === null) return;
  assert.notEqual(one, other);
  for (const [key, value] of Object.entries(one)) {
    assertNothingShared(value, (other as { [key: string]: unknown })[key]);
  }
}

test("copyPayload() leaves out undefined members, as JSON does", () => {
  assert.deepEqual(Object.keys(copyPayload({ a: undefined, b: { c: undefined }, d: 1 })), [
    "b",
    "d",
  ]);
});

test("copyPayload() takes objects without a prototype", () => {
  const bare = Object.assign(Object.create(null) as object, { a: 1 });
  assert.deepEqual(copyPayload({ bare, list: [bare] }), { bare: { a: 1 }, list: [{ a: 1 }] });
});

test("copyPayload() keeps a member named __proto__ an ordinary member, at every depth", () => {
  const payload = JSON.parse('{"__proto__":{"admin":true},"deep":{"__proto__":[1]}}') as object;
  const copy = copyPayload(payload);
  assert.equal(JSON.stringify(copy), JSON.stringify(payload));
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  assert.equal((copy as { admin?: boolean }).admin, undefined);
});

class Money {
  readonly amount = 1;
}
const cycle: { self?: unknown } = {};
cycle.self = cycle;

const refused: [string, object, string, string][] = [
  ["a function", { a: () => 1 }, "payload.a", "a function"],
  ["a symbol", { a: [Symbol("s")] }, "payload.a[0]", "a symbol"],
  ["a bigint", { a: { b: 1n } }, "payload.a.b", "a bigint"],
  ["NaN", { a: Number.NaN }, "payload.a", "NaN"],
  ["Infinity", { "a b": [[Number.NEGATIVE_INFINITY]] }, 'payload["a b"][0][0]', "-Infinity"],
  ["undefined in a list", { a: [1, undefined] }, "payload.a[1]", "undefined"],
  ["a Date", { a: new Date(0) }, "payload.a", "a Date"],
  ["a Map", { a: [0, { m: new Map() }] }, "payload.a[1].m", "a Map"],
  ["a Buffer", { a: Buffer.from("x") }, "payload.a", "a Buffer"],
  ["a class instance", { a: new Money() }, "payload.a", "a Money"],
  ["a list as the payload", [1], "payload", "an array"],
  ["a class instance as the payload", new Money(), "payload", "a Money"],
  ["an error", new Error("x"), "payload", "a Error"],
];
for (const [what, payload, path, found] of refused) {
  test(`copyPayload() refuses ${what}, naming ${path}`, () => {
    assert.throws(() => copyPayload(payload), {
      code: "AGENTRT_BUS_PAYLOAD_NOT_JSON",
      message: `Cannot send payload: "${path}" is ${found}, and a payload holds plain JSON values only`,
    });
  });
}

test("copyPayload() refuses a cycle and nesting beyond the maximum with a short message", () => {
  assert.throws(
    () => copyPayload(cycle),
    (error: Error) => error.message.includes("or a cycle") && error.message.length < 400,
  );
  let deep: object = {};
  for (let depth = 0; depth < payloadDepthMax - 1; depth += 1) deep = { deep };
  assert.doesNotThrow(() => copyPayload(deep));
  assert.throws(() => copyPayload({ a: [deep, { a: deep }] }), {
    code: "AGENTRT_BUS_PAYLOAD_NOT_JSON",
  });
});

test("copyPayload() refuses values that are no objects at all", () => {
  for (const value of ["text", 1, null, undefined, () => 1]) {
    assert.throws(() => copyPayload(value as unknown as object), {
      code: "AGENTRT_BUS_PAYLOAD_NOT_JSON",
    });
  }
});
