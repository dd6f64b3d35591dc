import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "@msgpack/msgpack";
import {
  type Arbitrary,
  array,
  assert as assertLaw,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  jsonValue,
  nat,
  oneof,
  option,
  property,
  record,
  string,
  uint8Array,
  uuid,
} from "fast-check";
import type { JsonObject } from "../core/index.ts";
import { envelopeKinds, readEnvelope } from "./envelope.ts";
import { type Envelope, messageBytesMax, serializerNamed } from "./index.ts";

const envelope: Envelope = {
  schema_version: 1,
  id: "0192f0c4-0000-7000-8000-000000000001",
  type: "ticket",
  sender: "front",
  recipient: "triage/desk",
  correlation_id: null,
  reply_to: "p1",
  payload: { text: "Grüße, 世界 🎈", list: [1, -2.5, 1e300, true, null, { deep: {} }] },
  timestamp: 1_763_999_999.123,
  trace_id: "0af7651916cd43dd8448eb211c80319c",
  span_id: "b7ad6b7169203331",
  parent_span_id: null,
  attempt: 0,
  priority: 1,
  ttl: 2.5,
  seq: null,
  kind: "call",
  wait: 30,
  credit: null,
  fail_if_suspended: true,
  sampled: null,
  session: "_session.1",
  head: { status: 201, headers: { location: "/orders/7" } },
};
const both = [serializerNamed("msgpack"), serializerNamed("json")];

/** What a promise of an error looks like: its code, and what its message names. */
const fails = (code: string, message: RegExp) => (error: Error & { readonly code?: string }) => {
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

test("an envelope is the same behind each serializer, whatever JSON it carries", () => {
  for (const serializer of both) {
    assert.deepEqual(serializer.decode(serializer.encode(envelope)), envelope);
    assertLaw(
      property(jsonValue(), (value) => {
        const sent = { ...envelope, payload: { value: JSON.parse(JSON.stringify(value)) } };
        assert.deepEqual(serializer.decode(serializer.encode(sent)), sent);
      }),
    );
  }
});

test("the serializer is MessagePack unless AGENCY_SERIALIZER says otherwise, and an unknown one is named", () => {
  for (const name of [undefined, "", "msgpack"])
    assert.equal(serializerNamed(name).name, "msgpack");
  assert.equal(serializerNamed("json").name, "json");
  assert.throws(
    () => serializerNamed("msgpak"),
    fails("AGENTRT_WIRE_SERIALIZER", /"msgpak".*did you mean "msgpack"/),
  );
});

test("what is no message is refused in one way, whatever the bytes are", () => {
  const deep = "[".repeat(5000) + "]".repeat(5000);
  const bytesOf = (value: unknown): Uint8Array => encode(value);
  const [msgpack, json] = both as [(typeof both)[0], (typeof both)[0]];
  const cases: readonly (readonly [(typeof both)[0], Uint8Array])[] = [
    [msgpack, bytesOf({ bytes: new Uint8Array(3) })],
    [msgpack, bytesOf({ at: new Date(0) })],
    [msgpack, bytesOf({ number: Number.NaN })],
    [msgpack, bytesOf({ number: Number.POSITIVE_INFINITY })],
    [msgpack, bytesOf([1, 2])],
    [msgpack, bytesOf("text")],
    // A map with a key that is a list.
    [msgpack, Uint8Array.of(0x81, 0x90, 0x01)],
    // A map that says it has four thousand million members, and a list inside of a list, a million times.
    [msgpack, Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff)],
    [msgpack, Buffer.concat([Uint8Array.of(0x81, 0xa1, 0x61), Buffer.alloc(1_000_000, 0x91)])],
    [msgpack, Buffer.concat([bytesOf({}), Uint8Array.of(0)])],
    [json, Buffer.from(`{"a":${deep}}`)],
    [json, Buffer.from("[]")],
    [json, Buffer.from("")],
    [json, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ];
  for (const [serializer, bytes] of cases)
    assert.throws(() => serializer.decode(bytes), { code: "AGENTRT_WIRE_UNREADABLE" });
  for (const serializer of both) {
    assertLaw(
      property(uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          serializer.decode(bytes);
        } catch (error) {
          assert.equal((error as { readonly code?: string }).code, "AGENTRT_WIRE_UNREADABLE");
        }
      }),
    );
    const long = { ...envelope, payload: { text: "x".repeat(messageBytesMax) } };
    assert.throws(() => serializer.encode(long), { code: "AGENTRT_WIRE_TOO_LARGE" });
    assert.throws(() => serializer.decode(new Uint8Array(messageBytesMax + 1)), {
      code: "AGENTRT_WIRE_UNREADABLE",
    });
  }
});

test("members named __proto__ come as they were sent, and change nothing of the object that they are in", () => {
  const payload = JSON.parse(
    '{"list":[{"__proto__":{"isAdmin":true}}],"~__proto__":1,"~~__proto__":2,"text":"__proto__"}',
  ) as JsonObject;
  for (const serializer of both) {
    const came = serializer.decode(serializer.encode({ ...envelope, payload })).payload;
    assert.equal(JSON.stringify(came), JSON.stringify(payload));
    assert.equal(([came["list"]].flat()[0] as { isAdmin?: boolean }).isAdmin, undefined);
  }
  // Another writer may not escape it.
  const raw = encode(JSON.parse('{"__proto__":{"isAdmin":true}}'));
  assert.throws(() => both[0]?.decode(raw), { code: "AGENTRT_WIRE_UNREADABLE" });
});

test("fields that have their defaults are not written, and are there again when they are read; no two messages share a payload", () => {
  const { id, timestamp } = envelope;
  const least = readEnvelope({ id, timestamp, payload: { a: 1 } });
  const written = both.map((serializer) => serializer.encode(least));
  assert.equal(
    Buffer.from(written[1] ?? []).toString(),
    JSON.stringify({ schema_version: 1, id, payload: { a: 1 }, timestamp }),
  );
  assert.equal(written[0]?.length, 48);
  for (const serializer of both)
    assert.deepEqual(serializer.decode(serializer.encode(least)), least);
  const [one, other] = [readEnvelope({ id, timestamp }), readEnvelope({ id, timestamp })];
  assert.notEqual(one.payload, other.payload);
});

const names = oneof(
  string({ unit: "grapheme", maxLength: 60 }),
  uuid(),
  uuid().map((id) => `_process.${id}`),
  uuid().map((id) => id.toUpperCase()),
);
const counts = oneof(nat(), constant(2 ** 32), constant(Number.MAX_SAFE_INTEGER));
// JSON has no negative zero.
const numbers = double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
const spans = string({
  unit: constantFrom(...Array.from("0123456789abcdef")),
  minLength: 16,
  maxLength: 16,
});
const maybe = <T>(one: Arbitrary<T>): Arbitrary<T | null> => option(one, { nil: null });
const envelopes: Arbitrary<Envelope> = record({
  schema_version: constant(1),
  id: names.filter((id) => id !== ""),
  type: names,
  sender: names,
  recipient: names,
  correlation_id: maybe(names),
  reply_to: maybe(names),
  payload: dictionary(string(), constantFrom<string | number>("text", 1), {
    noNullPrototype: true,
  }),
  timestamp: numbers,
  trace_id: oneof(
    constant(""),
    spans.map((span) => span + span),
  ),
  span_id: oneof(constant(""), spans),
  parent_span_id: maybe(spans),
  attempt: counts,
  priority: constantFrom(0, -1, 1),
  ttl: maybe(numbers),
  seq: maybe(counts),
  kind: constantFrom(...envelopeKinds),
  wait: maybe(numbers),
  credit: maybe(counts),
  fail_if_suspended: boolean(),
  sampled: maybe(boolean()),
  session: maybe(names),
  head: maybe(constant({ status: 404 })),
}).map((made) => ({ ...made }));

test("every envelope comes as it was, also where another writer wrote it with the names of its fields", () => {
  assertLaw(
    property(envelopes, (sent) => {
      for (const serializer of both)
        assert.deepEqual(serializer.decode(serializer.encode(sent)), sent);
      // Members that another writer does not escape are refused, as above.
      const foreign = { ...sent, payload: { text: sent.id } };
      assert.deepEqual(both[0]?.decode(encode(foreign)), foreign);
    }),
  );
  const long = { ...envelope, recipient: "x".repeat(1024), sender: "é".repeat(1024) };
  assert.deepEqual(both[0]?.decode(both[0].encode(long)), long);
});

test("a call with a small payload and its reply fit into the 128 bytes that ZeroMQ copies", () => {
  const id = "0192f0c4-0000-7000-8000-000000000001";
  const call: Envelope = {
    ...readEnvelope({ id, timestamp: envelope.timestamp, payload: { sequence: 70_000 } }),
    recipient: "echo",
    reply_to: `_process.${id}`,
    kind: "call",
    trace_id: envelope.trace_id,
    span_id: envelope.span_id,
    wait: 30,
  };
  const reply: Envelope = { ...call, reply_to: null, kind: "reply", correlation_id: id };
  for (const sent of [call, reply]) assert.ok((both[0]?.encode(sent).length ?? Number.NaN) <= 128);
});

test("a compact envelope that was changed is read as another one or refused, and is never anything else", () => {
  const [msgpack] = both;
  assert.ok(msgpack !== undefined);
  const bytes = Buffer.from(msgpack.encode(envelope));
  const refused = (error: unknown): boolean =>
    /^AGENTRT_WIRE_(?:UNREADABLE|NEWER_SCHEMA)$/.test((error as { code?: string }).code ?? "");
  for (let length = 0; length < bytes.length; length += 1)
    assert.throws(() => msgpack.decode(bytes.subarray(0, length)), refused);
  for (const [place, byte] of bytes.entries())
    for (let other = 0; other < 256; other += 1) {
      if (other === byte) continue;
      const changed = Buffer.from(bytes);
      changed[place] = other;
      try {
        const read: Envelope = msgpack.decode(changed);
        assert.deepEqual(readEnvelope({ ...read }), read);
      } catch (error) {
        assert.ok(refused(error), String(error));
      }
    }
});

test("unknown fields are left out and missing ones get their defaults; a newer schema is refused before all else", () => {
  const { id, timestamp } = envelope;
  const least = readEnvelope({ id, timestamp, hue: "blue", payload: undefined });
  assert.deepEqual(least, {
    schema_version: 1,
    id,
    type: "message",
    sender: "",
    recipient: "",
    correlation_id: null,
    reply_to: null,
    payload: {},
    timestamp,
    trace_id: "",
    span_id: "",
    parent_span_id: null,
    attempt: 0,
    priority: 0,
    ttl: null,
    seq: null,
    kind: "send",
    wait: null,
    credit: null,
    fail_if_suspended: false,
    sampled: null,
    session: null,
    head: null,
  });
  assert.throws(
    () => readEnvelope({ schema_version: 2, id: 7 }),
    fails("AGENTRT_WIRE_NEWER_SCHEMA", /schema_version 2, and this version knows 1/),
  );
});

test("a field that is wrong is named", () => {
  const wrong: { readonly [Name in keyof Envelope]?: unknown } = {
    schema_version: "1",
    id: "",
    type: 3,
    sender: "x".repeat(1025),
    recipient: {},
    correlation_id: 1,
    reply_to: [],
    payload: [],
    timestamp: "now",
    trace_id: "0AF7651916CD43DD8448EB211C80319C",
    span_id: "b7",
    parent_span_id: 1,
    attempt: -1,
    priority: 0.5,
    ttl: Number.NaN,
    seq: -1,
    kind: "shout",
    wait: "long",
    credit: 1.5,
    fail_if_suspended: 1,
    sampled: "yes",
    session: 4,
  };
  for (const [name, value] of Object.entries(wrong))
    assert.throws(
      () => readEnvelope({ ...envelope, [name]: value }),
      fails("AGENTRT_WIRE_UNREADABLE", new RegExp(`: ${name} is wrong: wanted `)),
    );
  for (const name of ["id", "timestamp"])
    assert.throws(
      () => readEnvelope({ ...envelope, [name]: undefined }),
      fails("AGENTRT_WIRE_UNREADABLE", new RegExp(`${name} is missing`)),
    );
  for (const value of [null, 1, "x", []])
    assert.throws(() => readEnvelope(value), { code: "AGENTRT_WIRE_UNREADABLE" });
});

test("names of Object.prototype are no fields", () => {
  assertLaw(
    property(array(string()), (names) => {
      const { id, timestamp } = envelope;
      const extra = Object.fromEntries(
        ["toString", "constructor", ...names].map((name) => [name, 1]),
      );
      const read = readEnvelope({ ...extra, id, timestamp });
      assert.deepEqual(Object.keys(read), Object.keys(envelope));
    }),
  );
});
