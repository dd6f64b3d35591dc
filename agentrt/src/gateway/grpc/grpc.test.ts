import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import type { TableError } from "../../core/index.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Middleware } from "../chain/middleware.ts";
import { errorResponse } from "../request.ts";
import { grpcFaults } from "../../gateway-settings/grpc-faults.ts";
import { encodeMessage, readTimeout } from "./status.ts";
import { readStruct, writeStruct } from "./struct.ts";
import { WireWriter } from "./wire-writer.ts";
import { serve, frame, request, reply, invoke, greet } from "./test-support/grpc-calls.ts";

test("a payload comes back from google.protobuf.Struct as it was", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (value) => {
      const struct = JSON.parse(JSON.stringify(value)) as JsonObject;
      const writer = new WireWriter();
      writeStruct(writer, struct);
      assert.equal(JSON.stringify(readStruct(writer.finish())), JSON.stringify(struct));
    }),
  );
});

test("any bytes as a message end in a status or an answer, never in anything else", async () => {
  await using setup = await serve();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
      const { code } = await setup.call(invoke, frame(Buffer.from(bytes)));
      assert.ok(code === 0 || code === 3, `status ${code}`);
    }),
    { numRuns: repetitions(200) },
  );
});

test("Invoke sends a message with type, payload and trace, and gives the reply", async () => {
  await using setup = await serve();
  const ids = ["a".repeat(32), "b".repeat(16)] as const;
  const traceparent = `00-${ids[0]}-${ids[1]}-01`;
  const payload = JSON.parse('{"n":1,"__proto__":{"x":1},"__principal__":"root"}') as JsonObject;
  const body = frame(request({ recipient: "chat", type: "chat.line", payload, traceparent }));
  const result = await setup.call(invoke, body);
  assert.equal(result.code, 0, result.message);
  assert.equal(result.headers["content-type"], "application/grpc");
  assert.equal(result.headers["grpc-accept-encoding"], "identity,gzip");
  assert.equal(
    JSON.stringify(reply(result.messages[0]).payload),
    '{"type":"chat.line","payload":{"n":1,"__proto__":{"x":1}}}',
  );
  const trace = { traceId: ids[0], parentSpanId: ids[1], isSampled: true };
  assert.deepEqual(setup.seen[0]?.trace, trace);
  const plain = await setup.call(invoke, greet, { traceparent });
  assert.deepEqual(reply(plain.messages[0]).payload["type"], "grpc.request");
  assert.deepEqual(setup.seen[1]?.trace, trace);
  const cast = await setup.call("/agentrt.Agent/Cast", greet);
  assert.deepEqual([cast.code, cast.messages], [0, [Buffer.alloc(0)]]);
});

test("a client that compresses gets long replies compressed, and short ones as they are", async () => {
  await using setup = await serve();
  const text = "x".repeat(100_000);
  const body = frame(request({ recipient: "chat", payload: { text } }));
  const plain = await setup.call(invoke, body);
  assert.equal(
    JSON.stringify(reply(plain.messages[0]).payload["payload"]),
    JSON.stringify({ text }),
  );
  assert.equal(plain.headers["grpc-encoding"], undefined);
  const long = await setup.call(invoke, body, gzipped);
  assert.equal(long.headers["grpc-encoding"], "gzip");
  const [packed = Buffer.alloc(0)] = long.messages;
  assert.ok(packed.length < 2_000, `${packed.length} bytes`);
  assert.deepEqual(reply(gunzipSync(packed)), reply(plain.messages[0]));
  const short = await setup.call(invoke, greet, gzipped);
  assert.equal(reply(short.messages[0]).payload["type"], "grpc.request");
});

test("a reply with an error is a reply, with its text beside it", async () => {
  for (const [error, text] of [
    ["no stock", "no stock"],
    [{ a: 1 }, '{"a":1}'],
  ] as const) {
    await using setup = await serve({ bus: { call: () => Promise.resolve({ error, n: 1 }) } });
    const result = await setup.call(invoke, greet);
    assert.equal(result.code, 0);
    const { payload, error: told } = reply(result.messages[0]);
    assert.equal(told, text);
    assert.equal(JSON.stringify(payload), JSON.stringify({ error, n: 1 }));
  }
});

test("what is wrong with a call is told by its status", async () => {
  const big = frame(Buffer.alloc(0), { length: 0xffff_ffff });
  const deep = request({ recipient: "chat", payload: nest(101) });
  const rows: readonly [string, Buffer, { [name: string]: string }, number, RegExp][] = [
    ["unknown method", greet, { ":path": "/agentrt.Agent/Nothing" }, 12, /unknown method/],
    ["unknown service", greet, { ":path": "/x.Y/Z" }, 12, /unknown method/],
    ["no recipient", frame(request({})), {}, 3, /recipient is missing/],
    ["reserved type", frame(request({ recipient: "chat", type: "_agency.x" })), {}, 3, /reserved/],
    ["reserved type", frame(request({ recipient: "chat", type: "AGENTRT.x" })), {}, 3, /reserved/],
    ["type with a comma", frame(request({ recipient: "chat", type: "a,b" })), {}, 3, /malformed/],
    ["no message", Buffer.alloc(0), {}, 12, /without a message/],
    ["two messages", Buffer.concat([greet, greet]), {}, 12, /one message/],
    ["cut short", greet.subarray(0, greet.length - 1), {}, 13, /cut short/],
    ["length that lies", big, {}, 8, /4294967295 bytes, want 4194304 or less/],
    ["compressed", frame(Buffer.alloc(4), { flag: 1 }), {}, 13, /no grpc-encoding says how/],
    ["no gzip", frame(Buffer.alloc(4), { flag: 1 }), gzipped, 13, /not gzip/],
    ["other flag", frame(Buffer.alloc(4), { flag: 2 }), gzipped, 13, /flag 2/],
    [
      "other encoding",
      greet,
      { "grpc-encoding": "br" },
      12,
      /"br" is not served, want identity,gzip/,
    ],
    [
      "bomb",
      frame(gzipSync(Buffer.alloc(4_194_305)), { flag: 1 }),
      gzipped,
      8,
      /unpacks to more than 4194304/,
    ],
    ["malformed protobuf", frame(Buffer.from([0x0a, 0xff])), {}, 3, /cut short/],
    ["text that is not UTF-8", frame(Buffer.from([0x0a, 1, 0xff])), {}, 3, /not UTF-8/],
    ["groups of old", frame(Buffer.from([0x0b])), {}, 3, /unknown type/],
    ["endless varint", frame(Buffer.alloc(12, 0xff)), {}, 3, /64 bits/],
    ["nested too deep", frame(deep), {}, 3, /deeper than 100/],
    ["deadline that is none", greet, { "grpc-timeout": "1x" }, 3, /grpc-timeout/],
  ];
  const packed = frame(gzipSync(greet.subarray(5)), { flag: 1 });
  await using setup = await serve();
  for (const [name, body, headers, code, message] of rows) {
    const { ":path": path = invoke, ...more } = headers;
    const result = await setup.call(path, body, more);
    assert.equal(result.http, 200, name);
    assert.equal(result.code, code, `${name}: ${result.message}`);
    assert.match(result.message, message, name);
  }
  assert.equal(setup.seen.length, 0);
  assert.equal((await setup.call(invoke, greet)).code, 0);
  assert.equal((await setup.call(invoke, packed, gzipped)).code, 0);
  assert.equal((await setup.call(invoke, greet, gzipped)).code, 0);
  assert.equal(setup.seen.length, 3);
});

const gzipped = { "grpc-encoding": "gzip" };

function nest(depth: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

test("what is no gRPC is refused with a status of HTTP", async () => {
  await using setup = await serve();
  assert.equal((await setup.call(invoke, greet, { ":method": "PUT" })).http, 405);
  for (const type of ["application/json", "application/grpc-web", "application/grpc+json"]) {
    assert.equal((await setup.call(invoke, greet, { "content-type": type })).http, 415, type);
  }
});

test("a middleware that calls next twice is an error: INTERNAL, the agent is asked once, and it is logged", async () => {
  const twice: Middleware = async (request, next) => {
    await next(request);
    return await next(request);
  };
  const logged: TableError[] = [];
  await using setup = await serve({ middleware: [twice], logged });
  const { code, message } = await setup.call(invoke, greet);
  assert.deepEqual([code, message], [13, "internal error"]);
  assert.equal(setup.seen.length, 1);
  assert.deepEqual(
    logged.map((error) => error.code),
    ["AGENTRT_GATEWAY_NEXT_CALLED_TWICE"],
  );
});

test("middleware sees metadata as headers; its refusals are statuses; health and reflection are open", async () => {
  const seen: unknown[] = [];
  const guard: Middleware = async (request, next) => {
    const { authorization, "client-cert": clientCert } = request.headers;
    seen.push([request.method, request.path, authorization, clientCert, request.clientCert]);
    const status = Number(request.headers["x-status"]);
    if (status === 0) throw new Error("broken");
    return status === 200 ? await next(request) : errorResponse(status, "no, nein – пока");
  };
  await using setup = await serve({ middleware: [guard] });
  const rows = [
    [200, 0],
    [400, 3],
    [401, 16],
    [403, 7],
    [404, 5],
    [429, 8],
    [500, 13],
    [503, 14],
    [504, 4],
  ] as const;
  for (const [status, code] of rows) {
    const result = await setup.call(invoke, greet, {
      "x-status": String(status),
      authorization: "Bearer t",
      "client-cert": ":AAAA:",
    });
    assert.equal(result.code, code);
    if (code !== 0) assert.equal(result.message, "no, nein – пока");
  }
  assert.deepEqual(seen[0], ["POST", invoke, "Bearer t", ":AAAA:", undefined]);
  const before = seen.length;
  const health = await setup.call("/grpc.health.v1.Health/Check", frame(Buffer.alloc(0)));
  assert.deepEqual(health.messages, [Buffer.from([8, 1])]);
  const named = frame(new WireWriter().text(1, "agentrt.Agent").finish());
  assert.equal((await setup.call("/grpc.health.v1.Health/Check", named)).code, 0);
  const unknown = frame(new WireWriter().text(1, "x").finish());
  assert.equal((await setup.call("/grpc.health.v1.Health/Check", unknown)).code, 5);
  const list = frame(new WireWriter().text(7, "").finish());
  for (const version of ["v1", "v1alpha"]) {
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
    const { messages } = await setup.call(path, list);
    assert.match(String(messages[0]), /agentrt\.Agent/);
  }
  assert.equal(seen.length, before);
});

test("grpcFaults() tells settings that contradict each other", () => {
  const good = {
    port: 50_051,
    httpPort: 8080,
    hasTls: true,
    clientCertMode: "none",
    isBearer: true,
  } as const;
  const keys = (more: object) => grpcFaults({ ...good, ...more }).map(({ key }) => key);
  assert.deepEqual(keys({}), []);
  assert.deepEqual(keys({ clientCertMode: "required" }), []);
  assert.deepEqual(keys({ hasTls: false, isBearer: false }), []);
  assert.deepEqual(keys({ clientCertMode: "optional" }), ["client_cert_mode"]);
  assert.deepEqual(keys({ hasTls: false }), ["grpc_enabled"]);
  assert.deepEqual(keys({ port: undefined }), ["grpc_enabled"]);
  assert.deepEqual(keys({ httpPort: 50_051 }), ["grpc_port"]);
});

test("deadlines and status messages are read and written as gRPC says", () => {
  const rows: readonly [string | undefined, number | undefined | "malformed"][] = [
    [undefined, undefined],
    ["1H", 3_600_000],
    ["2M", 120_000],
    ["3S", 3_000],
    ["40m", 40],
    ["500u", 0.5],
    ["123456789S", "malformed"],
    ["-1S", "malformed"],
    ["1", "malformed"],
    ["", "malformed"],
  ];
  for (const [header, expected] of rows)
    assert.equal(readTimeout(header), expected, header ?? "none");
  assert.equal(encodeMessage("a%b\r\nü"), "a%25b%0d%0a%c3%bc");
});
