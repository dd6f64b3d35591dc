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

test("copyPayload() refuses a list as the payload: it wants an object", () => {
  assert.throws(() => copyPayload([1]), {
    code: "AGENTRT_BUS_PAYLOAD_NOT_JSON",
    message: "Cannot send payload: found an array, wanted an object",
  });
});

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

test("copyPayload() refuses a payload that one object, met over and over, makes endless", () => {
  let doubled: object = { leaf: 1 };
  for (let level = 0; level < 60; level += 1) doubled = { left: doubled, right: [doubled] };
  assert.throws(() => copyPayload(doubled), {
    code: "AGENTRT_BUS_PAYLOAD_NOT_JSON",
    message: /more than 2000000 objects and lists/,
  });
  assert.deepEqual(copyPayload({ fine: { again: true } }), { fine: { again: true } });
});

test("copyPayload() copies what an object met twice holds, twice", () => {
  const shared = { n: [1] };
  const copy = copyPayload({ one: shared, other: shared }) as { [name: string]: { n: number[] } };
  assert.deepEqual(copy, { one: { n: [1] }, other: { n: [1] } });
  assert.notEqual(copy["one"], copy["other"]);
});

const kept: [string, object, object][] = [
  [
    "a getter's value",
    {
      get a() {
        return 1;
      },
    },
    { a: 1 },
  ],
  ["a proxy of a plain object", new Proxy({ a: { b: 1 } }, {}), { a: { b: 1 } }],
  [
    "a member named constructor or toString",
    { constructor: 1, toString: "x", hasOwnProperty: null },
    { constructor: 1, toString: "x", hasOwnProperty: null },
  ],
  [
    "nothing of symbols and of what cannot be enumerated",
    Object.defineProperty({ a: 1, [Symbol("s")]: 2 }, "hidden", { value: 3 }),
    { a: 1 },
  ],
  [
    "nothing that a list has beside its items",
    { a: Object.assign([1], { extra: true }) },
    { a: [1] },
  ],
];
for (const [what, payload, expected] of kept) {
  test(`copyPayload() keeps ${what}`, () => {
    const copy = copyPayload(payload);
    assert.deepEqual(Object.entries(copy), Object.entries(expected));
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  });
}

const endless = (fail: () => unknown) =>
  Object.defineProperty({}, "a", { enumerable: true, get: fail });
const moreRefused: [string, object, RegExp][] = [
  [
    "an object with a toJSON of its own",
    { a: { toJSON: () => 1 } },
    /payload\.a\.toJSON" is a function/,
  ],
  ["a hole in a list", { a: Object.assign([1], { 2: 3 }) }, /payload\.a\[1\]" is undefined/],
  [
    "a list that is all holes, however long",
    { a: Object.assign([], { length: 4e9 }) },
    /payload\.a\[0\]" is undefined/,
  ],
  ["a typed array", { a: new Float64Array(2) }, /is a Float64Array/],
  ["a boxed string", { a: new String("x") }, /is a String/],
  ["a promise", { a: Promise.resolve(1) }, /is a Promise/],
  [
    "an object made from another",
    { a: Object.create({ inherited: 1 }) },
    /payload\.a" is a Object/,
  ],
];
for (const [what, payload, message] of moreRefused) {
  test(`copyPayload() refuses ${what}`, () => {
    assert.throws(() => copyPayload(payload), { code: "AGENTRT_BUS_PAYLOAD_NOT_JSON", message });
  });
}

test("copyPayload() lets through what a getter of the sender throws", () => {
  const broken = endless(() => {
    throw new RangeError("of the sender's making");
  });
  assert.throws(() => copyPayload(broken), { message: "of the sender's making" });
});

test("copyPayload() throws what names its caller in the stack, however deep the payload is", () => {
  let deep: object = { f: () => 1 };
  for (let depth = 0; depth < 50; depth += 1) deep = { deep };
  assert.throws(
    () => copyPayload(deep),
    (error: Error) => /^\s+at .*copy-payload\.test\.ts/.test(error.stack?.split("\n")[1] ?? ""),
  );
});
