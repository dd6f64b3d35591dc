import assert from "node:assert/strict";
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import { test } from "node:test";
import * as fc from "fast-check";
import { busErrors } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { createRealSystem } from "../../core/system.ts";
import type { Middleware } from "../middleware.ts";
import type { GatewayBus, GatewayMessage } from "../ports.ts";
import { errorResponse } from "../request.ts";
import { loneGateway } from "../test-support/lone-gateway.ts";
import { agentService } from "./agent-service.ts";
import { healthService } from "./health-service.ts";
import { grpcLimitDefaults, type GrpcLimits } from "./limits.ts";
import { reflectionService } from "./reflection-service.ts";
import { GrpcServer } from "./server.ts";
import { grpcFaults } from "./grpc-faults.ts";
import { encodeMessage, readTimeout } from "./status.ts";
import { readStruct, writeStruct } from "./struct.ts";
import { readFields, readNested, readText } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

interface Result {
  readonly http: number;
  readonly code: number;
  readonly message: string;
  readonly messages: readonly Buffer[];
  readonly headers: IncomingHttpHeaders;
}

interface Setup extends AsyncDisposable {
  readonly session: ClientHttp2Session;
  readonly server: GrpcServer;
  readonly seen: Omit<GatewayMessage, "signal">[];
  /** Makes a call; the body is sent as it is. */
  call(
    path: string,
    body: Buffer,
    headers?: { readonly [name: string]: string | string[] },
  ): Promise<Result>;
}

async function serve({
  bus = {},
  middleware = [],
  limits: given = {},
}: {
  bus?: Partial<GatewayBus>;
  middleware?: readonly Middleware[];
  limits?: Partial<GrpcLimits>;
} = {}): Promise<Setup> {
  const seen: Setup["seen"] = [];
  const log = {
    warn: (text: string): void => assert.fail(text),
    error: (text: string): void => assert.fail(text),
  };
  const limits = { ...grpcLimitDefaults, ...given };
  const system = createRealSystem();
  const whole: GatewayBus = {
    call: (message) => {
      seen.push(message);
      return Promise.resolve({ type: message.type, payload: message.payload });
    },
    cast: (message) => {
      seen.push(message);
      return Promise.resolve();
    },
    stream: () => assert.fail("nothing is streamed"),
    hasAgent: () => true,
    ...bus,
  };
  const server = new GrpcServer({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    tls: undefined,
    methods: new Map([
      ...agentService({ bus: whole, log, requestTimeoutMs: 30_000, limits }),
      ...healthService({ services: ["agentrt.Agent"], durationMsMax: 60_000 }),
      ...reflectionService(60_000),
    ]),
    middleware,
    readClientCert: () => undefined,
    requestTimeoutMs: 30_000,
    process: loneGateway,
    system,
    log,
    limits,
  });
  const { port } = await server.start();
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
  return {
    session,
    server,
    seen,
    call: (path, body, headers = {}) => callOn(session, { path, body, headers }),
    async [Symbol.asyncDispose]() {
      await server.stop({ timeoutMs: 0 });
      session.destroy();
    },
  };
}

function callOn(
  session: ClientHttp2Session,
  {
    path,
    body,
    headers,
  }: {
    readonly path: string;
    readonly body: Buffer;
    readonly headers: { readonly [name: string]: string | string[] };
  },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    let head: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on("response", (got) => {
      head = got;
    });
    stream.on("trailers", (got) => {
      trailers = got;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("close", () => {
      const end = { ...head, ...trailers };
      resolve({
        http: Number(head[":status"]),
        code: Number(end["grpc-status"]),
        message: decodeURIComponent(String(end["grpc-message"] ?? "")),
        messages: unframe(Buffer.concat(chunks)),
        headers: head,
      });
    });
    stream.end(body);
  });
}

function frame(message: Buffer, how: { readonly flag?: number; readonly length?: number } = {}) {
  const head = Buffer.alloc(5);
  head[0] = how.flag ?? 0;
  head.writeUInt32BE(how.length ?? message.length, 1);
  return Buffer.concat([head, message]);
}

function unframe(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const size = bytes.readUInt32BE(offset + 1);
    messages.push(bytes.subarray(offset + 5, offset + 5 + size));
    offset += 5 + size;
  }
  return messages;
}

function request(fields: {
  readonly recipient?: string;
  readonly type?: string;
  readonly payload?: JsonObject;
  readonly traceparent?: string;
}): Buffer {
  const writer = new WireWriter();
  if (fields.recipient !== undefined) writer.text(1, fields.recipient);
  if (fields.type !== undefined) writer.text(2, fields.type);
  const { payload } = fields;
  if (payload !== undefined) writer.nested(3, (struct) => writeStruct(struct, payload));
  if (fields.traceparent !== undefined) writer.text(5, fields.traceparent);
  return writer.finish();
}

function reply(bytes: Buffer | undefined): {
  readonly payload: JsonObject;
  readonly error: string;
} {
  assert.ok(bytes !== undefined, "no reply came");
  let payload: JsonObject = {};
  let error = "";
  for (const field of readFields(bytes)) {
    if (field.number === 1) payload = readStruct(readNested(field));
    if (field.number === 2) error = readText(field);
  }
  return { payload, error };
}

const invoke = "/agentrt.Agent/Invoke";
const greet = frame(request({ recipient: "chat" }));

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
    { numRuns: 200 },
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
  assert.equal(result.headers["grpc-accept-encoding"], "identity");
  assert.equal(
    JSON.stringify(reply(result.messages[0]).payload),
    '{"type":"chat.line","payload":{"n":1,"__proto__":{"x":1}}}',
  );
  assert.deepEqual(setup.seen[0]?.trace, { traceId: ids[0], parentSpanId: ids[1] });
  const plain = await setup.call(invoke, greet, { traceparent });
  assert.deepEqual(reply(plain.messages[0]).payload["type"], "grpc.request");
  assert.deepEqual(setup.seen[1]?.trace, { traceId: ids[0], parentSpanId: ids[1] });
  const cast = await setup.call("/agentrt.Agent/Cast", greet);
  assert.deepEqual([cast.code, cast.messages], [0, [Buffer.alloc(0)]]);
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
    ["compressed", frame(Buffer.alloc(4), { flag: 1 }), {}, 12, /compressed/],
    ["gzip", greet, { "grpc-encoding": "gzip" }, 12, /compressed/],
    ["malformed protobuf", frame(Buffer.from([0x0a, 0xff])), {}, 3, /cut short/],
    ["text that is not UTF-8", frame(Buffer.from([0x0a, 1, 0xff])), {}, 3, /not UTF-8/],
    ["groups of old", frame(Buffer.from([0x0b])), {}, 3, /unknown type/],
    ["endless varint", frame(Buffer.alloc(12, 0xff)), {}, 3, /64 bits/],
    ["nested too deep", frame(deep), {}, 3, /deeper than 100/],
    ["deadline that is none", greet, { "grpc-timeout": "1x" }, 3, /grpc-timeout/],
  ];
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
});

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

test("a failure of the bus has the status that says so", async () => {
  const rows = [
    [new busErrors.NO_ROUTE({ address: "chat" }), 5, "agent 'chat' not found"],
    [new busErrors.TIMEOUT({ address: "chat", timeoutMs: 1 }), 4, "upstream timeout"],
  ] as const;
  for (const [error, code, message] of rows) {
    await using setup = await serve({
      bus: {
        call: () => Promise.reject(error),
        cast: () => Promise.reject(error),
        stream: () => ({ next: () => Promise.reject(error) }),
      },
    });
    for (const method of ["Invoke", "Cast", "Stream"]) {
      const result = await setup.call(`/agentrt.Agent/${method}`, greet);
      assert.deepEqual([result.code, result.message], [code, message], method);
    }
  }
});

test("a deadline ends the call, and the agent is told", async () => {
  let isTold = false;
  await using setup = await serve({
    bus: {
      call: ({ signal, timeoutMs }) => {
        assert.equal(timeoutMs, 50);
        return new Promise(() => {
          signal.addEventListener("abort", () => {
            isTold = true;
          });
        });
      },
    },
  });
  const result = await setup.call(invoke, greet, { "grpc-timeout": "50m" });
  assert.deepEqual([result.code, result.message, isTold], [4, "deadline exceeded", true]);
});

test("Stream gives each chunk, and a client that leaves or reads slowly is felt by the agent", async () => {
  let yielded = 0;
  let onLeft: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    onLeft = resolve;
  });
  const endless = async function* (): AsyncGenerator<JsonObject, undefined> {
    try {
      for (;;) {
        yielded += 1;
        yield { text: "x".repeat(16_384) };
      }
    } finally {
      onLeft?.();
    }
  };
  const three = async function* (): AsyncGenerator<JsonObject, undefined> {
    for (let n = 1; n <= 3; n += 1) yield { n };
    return undefined;
  };
  await using setup = await serve({
    bus: { stream: ({ recipient }) => (recipient === "three" ? three() : endless()) },
  });
  const whole = await setup.call("/agentrt.Agent/Stream", frame(request({ recipient: "three" })));
  assert.deepEqual(
    whole.messages.map((bytes) => reply(bytes).payload["n"]),
    [1, 2, 3],
  );
  assert.equal(whole.code, 0);
  const stream = setup.session.request({
    ":method": "POST",
    ":path": "/agentrt.Agent/Stream",
    "content-type": "application/grpc",
  });
  stream.on("error", () => undefined);
  stream.end(frame(request({ recipient: "endless" })));
  await new Promise((resolve) => stream.once("response", resolve));
  for (let seen = -1; seen !== yielded;) {
    seen = yielded;
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  }
  assert.ok(yielded < 100, `${yielded} chunks for a client that reads none`);
  stream.close(8);
  await left;
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

test("a client that pings or takes calls back without end loses its connection alone", async () => {
  await using setup = await serve({
    limits: { wastedFrameCountMax: 20, wastedFramesForgivenPerSecond: 1 },
  });
  await setup.call(invoke, greet);
  const closed = new Promise((resolve) => setup.session.once("close", resolve));
  for (let count = 0; count < 60 && !setup.session.destroyed; count += 1) {
    await new Promise<void>((resolve) => {
      if (!setup.session.ping(() => resolve())) resolve();
    });
  }
  await closed;
});

test("a stop lets calls in work finish, refuses others, and cuts off what is late", async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: answer, resolve: finish } = Promise.withResolvers<JsonObject>();
  const call = (): Promise<JsonObject> => {
    onAsked();
    return answer;
  };
  await using setup = await serve({ bus: { call } });
  const inWork = setup.call(invoke, greet);
  await asked;
  const stopped = setup.server.stop({ timeoutMs: 5_000 });
  finish({ isLast: true });
  assert.deepEqual(reply((await inWork).messages[0]).payload["isLast"], true);
  assert.deepEqual(await stopped, { cutCount: 0 });

  const { promise: askedLate, resolve: onAskedLate } = Promise.withResolvers<void>();
  const never = (): Promise<JsonObject> => {
    onAskedLate();
    return new Promise(() => undefined);
  };
  await using late = await serve({ bus: { call: never } });
  const cut = late.call(invoke, greet).catch(() => "broken off");
  await askedLate;
  assert.deepEqual(await late.server.stop({ timeoutMs: 10 }), { cutCount: 1 });
  await cut;
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
