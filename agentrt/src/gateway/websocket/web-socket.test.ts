import assert from "node:assert/strict";
import { test } from "node:test";
import { agentErrors } from "../../core/index.ts";
import type { TableError } from "../../core/index.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { System } from "../../core/ports/system.ts";
import { createRequestChain } from "../chain/request-chain.ts";
import { createHttpListener } from "../http/listener.ts";
import type { HttpListener } from "../listening/http-listener.ts";
import type { Middleware } from "../chain/middleware.ts";
import type { AgentBus, GatewayMessage } from "../ports.ts";
import { errorResponse } from "../request.ts";
import { loneGateway } from "../test-support/lone-gateway.ts";
import { ManualTime } from "../test-support/manual-time.ts";
import type { WebSocketLimits } from "./limits.ts";
import { clientFrame, RawWebSocket } from "./test-support/raw-web-socket.ts";
import { WebSocketServer } from "./web-socket-server.ts";

/** What the agent of these tests does with a message. */
type Behaviour = (message: Omit<GatewayMessage, "signal">) => AsyncGenerator<JsonObject, void>;

interface Setup extends AsyncDisposable {
  readonly port: number;
  readonly time: ManualTime;
  readonly listener: HttpListener;
  readonly messages: Omit<GatewayMessage, "signal">[];
}

const echo: Behaviour = async function* (message) {
  yield { type: message.type, payload: message.payload };
};

async function serve({
  behaviour = echo,
  limits = {},
  middleware = [],
  allowedOrigins = [],
  boundHost = "127.0.0.1",
  hasOwnSecret = false,
  logged,
}: {
  behaviour?: Behaviour;
  limits?: Partial<WebSocketLimits>;
  middleware?: readonly Middleware[];
  allowedOrigins?: readonly string[];
  boundHost?: string;
  hasOwnSecret?: boolean;
  /** Where errors of the log go; without it they fail the test. */
  logged?: unknown[];
} = {}): Promise<Setup> {
  const time = new ManualTime();
  const system = time as unknown as System;
  const messages: Setup["messages"] = [];
  const log = {
    warn: (message: string): void => assert.fail(message),
    error: (message: string, { error }: { readonly [name: string]: unknown }): void => {
      if (logged === undefined) assert.fail(message);
      logged.push(error);
    },
  };
  const bus: AgentBus = {
    call: () => assert.fail("nothing is called"),
    cast: () => assert.fail("nothing is cast"),
    chooseCapable: () => assert.fail("no capability is asked for"),
    hasAgent: () => true,
    isInfrastructure: () => false,
    stream: (message) => {
      messages.push(message);
      return behaviour(message) as AsyncIterator<JsonObject, undefined>;
    },
  };
  const upgrades = new WebSocketServer({
    routes: [
      {
        path: "/chat/{room}",
        recipient: "chat",
        middleware,
        hasOwnSecret,
        isNotified: false,
        isKeyedBySession: false,
        failIfSuspended: false,
        messageLimit: undefined,
      },
    ],
    boundHost,
    allowedOrigins,
    requestTimeoutMs: 30_000,
    castTimeoutMs: 1_000,
    bus,
    process: loneGateway,
    log,
    system,
    limits,
  });
  const listener = createHttpListener({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    chain: createRequestChain({ process: loneGateway, routes: [], log }),
    log,
    system,
    upgrades,
  });
  const { port } = await listener.start();
  return {
    port,
    time,
    listener,
    messages,
    async [Symbol.asyncDispose]() {
      const stopped = listener.stop({ timeoutMs: 0 });
      time.pass(0);
      await stopped;
    },
  };
}

/** Lets sockets do their work until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}

async function answer(client: RawWebSocket): Promise<unknown> {
  const frame = await client.frame();
  assert.equal(frame?.opcode, 1);
  return JSON.parse(frame.payload.toString());
}

test("a WebSocket handshake that is wrong, or from elsewhere, is refused with HTTP", async () => {
  const long = Array.from({ length: 3_000 }, (_, index) => `p${index}`).join(",");
  const origins = { allowedOrigins: ["https://app.example.com"], boundHost: "0.0.0.0" };
  const rows: readonly [string, { [name: string]: string | undefined }, number, object?][] = [
    ["no key", { "Sec-WebSocket-Key": undefined }, 400],
    ["short key", { "Sec-WebSocket-Key": "abc" }, 400],
    ["old version", { "Sec-WebSocket-Version": "8" }, 426],
    ["empty subprotocol", { "Sec-WebSocket-Protocol": "a,,b" }, 400],
    ["subprotocol with space", { "Sec-WebSocket-Protocol": "a b" }, 400],
    ["same subprotocol twice", { "Sec-WebSocket-Protocol": "a, a" }, 400],
    ["thousands of subprotocols", { "Sec-WebSocket-Protocol": long }, 431],
    ["two hosts", { host: "elsewhere" }, 400],
    ["page of another site", { Origin: "https://evil.example" }, 403],
    ["page without origin", { Origin: "null" }, 403],
    [
      "page whose name was made to point here",
      { Origin: "http://evil.example", Host: "evil.example" },
      403,
    ],
    ["page of this machine", { Origin: "http://localhost:3000" }, 101],
    ["no browser", {}, 101],
    ["foreign page, listed", { Origin: "https://app.example.com" }, 101, origins],
    ["foreign page, not listed", { Origin: "https://app.example.com:444" }, 403, origins],
    ["own page", { Origin: "http://me.example", Host: "me.example" }, 101, origins],
    ["own name, other port", { Origin: "http://me.example:81", Host: "me.example" }, 403, origins],
    ["any page with a token", { Origin: "https://evil.example" }, 101, { hasOwnSecret: true }],
    ["any page where all may", { Origin: "null" }, 101, { allowedOrigins: ["*"] }],
    ["not websocket", { Upgrade: "h2c" }, 404],
  ];
  for (const [name, headers, status, options] of rows) {
    await using setup = await serve(options);
    await using client = await RawWebSocket.connect(setup.port);
    const head = await client.handshake({ path: "/chat/a", headers });
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), name);
  }
});

test("a message of a client becomes a message to the agent, and each chunk a text message", async () => {
  await using setup = await serve({
    behaviour: async function* ({ payload }) {
      yield { n: 1, payload };
      yield { n: 2 };
    },
  });
  await using client = await RawWebSocket.connect(setup.port);
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const headers = { traceparent, "X-Agentrt-Type": "chat.line" };
  await client.handshake({ path: "/chat/red?tone=loud&room=blue&text=q", headers });
  client.write(clientFrame('{"text":"hi","__principal__":"root","__proto__":{"x":1}}'));
  const { payload } = (await answer(client)) as { payload: JsonObject };
  assert.deepEqual(Object.entries(payload), [
    ["tone", "loud"],
    ["room", "red"],
    ["text", "hi"],
    ["__proto__", { x: 1 }],
  ]);
  assert.deepEqual(await answer(client), { n: 2 });
  const [message] = setup.messages;
  assert.equal(message?.recipient, "chat");
  assert.equal(message.type, "chat.line");
  assert.deepEqual(message.trace, {
    traceId: "a".repeat(32),
    parentSpanId: "b".repeat(16),
    isSampled: true,
  });
});

test("every form of a message is read, and what is no JSON is answered with an error", async () => {
  await using setup = await serve({ limits: { jsonDepthMax: 8 } });
  await using client = await RawWebSocket.open(setup.port, "/chat/a");
  const payload = (rest: JsonObject) => ({ type: "ws.message", payload: { ...rest, room: "a" } });
  const rows: readonly [Buffer, unknown][] = [
    [clientFrame('{"a":1}', { first: 0x82 }), payload({ a: 1 })],
    [clientFrame("[1]"), payload({ data: [1] })],
    [clientFrame("null"), payload({ data: null })],
    [clientFrame(""), { error: "message is not JSON" }],
    [clientFrame("{"), { error: "message is not JSON" }],
    [clientFrame("NaN"), { error: "message is not JSON" }],
    [
      clientFrame(Buffer.from([0x22, 0xff, 0x22]), { first: 0x82 }),
      { error: "message is not JSON" },
    ],
    [
      clientFrame(`${"[".repeat(9)}${"]".repeat(9)}`),
      { error: "message nests deeper than 8 levels" },
    ],
    [
      Buffer.concat([clientFrame('{"a"', { first: 0x01 }), clientFrame(":2}", { first: 0x80 })]),
      payload({ a: 2 }),
    ],
  ];
  for (const [bytes, expected] of rows) {
    client.write(bytes);
    assert.deepEqual(await answer(client), expected);
  }
});

test("a client that breaks the protocol is closed with the code that says so", async () => {
  const huge = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x80, 0, 0, 0, 1, 2, 3, 4]);
  const pieces = [
    clientFrame("[", { first: 0x01 }),
    ...Array(20).fill(clientFrame("", { first: 0 })),
  ];
  const rows: readonly [string, Buffer, number][] = [
    ["unmasked frame", clientFrame("{}", { isMasked: false }), 1002],
    ["reserved bit 1, as with compression", clientFrame("{}", { first: 0xc1 }), 1002],
    ["reserved bit 2", clientFrame("{}", { first: 0xa1 }), 1002],
    ["reserved opcode", clientFrame("{}", { first: 0x83 }), 1002],
    ["fragmented ping", clientFrame("", { first: 0x09 }), 1002],
    ["long ping", clientFrame("x".repeat(126), { first: 0x89 }), 1002],
    ["continuation of nothing", clientFrame("x", { first: 0x80 }), 1002],
    ["text that is not UTF-8", clientFrame(Buffer.from([0x22, 0xff, 0x22])), 1007],
    ["surrogate in UTF-8", clientFrame(Buffer.from([0xed, 0xa0, 0x80])), 1007],
    ["message above the limit", clientFrame("x".repeat(1025)), 1009],
    ["2 GiB announced", huge, 1009],
    ["too many fragments", Buffer.concat(pieces), 1008],
    ["pings without end", Buffer.concat(Array(12).fill(clientFrame("", { first: 0x89 }))), 1008],
    ["pongs without end", Buffer.concat(Array(12).fill(clientFrame("", { first: 0x8a }))), 1008],
    ["close code that is reserved", clientFrame(Buffer.from([0x03, 0xed]), { first: 0x88 }), 1002],
    ["close with one byte", clientFrame("x", { first: 0x88 }), 1002],
    ["close", clientFrame(Buffer.from([0x03, 0xe8]), { first: 0x88 }), 1000],
  ];
  const limits = { messageSizeBytesMax: 1024, fragmentCountMax: 10, controlFrameCountMax: 10 };
  for (const [name, bytes, code] of rows) {
    await using setup = await serve({ limits });
    await using client = await RawWebSocket.open(setup.port, "/chat/a");
    client.write(bytes);
    assert.equal(await client.closeCode(), code, name);
    assert.equal(setup.messages.length, 0, name);
  }
});

test("middleware decides before the handshake is answered, and its refusal is the answer", async () => {
  const seen: unknown[] = [];
  const guard: Middleware = async (request, next) => {
    seen.push([request.method, request.path, request.headers["authorization"], request.clientCert]);
    assert.equal(request.headers["sec-websocket-protocol"], undefined);
    const status = Number(request.queryParams["status"]);
    if (status === 0) throw new Error("broken");
    return status === 200 ? await next(request) : errorResponse(status, "no");
  };
  for (const status of [401, 403, 429, 503]) {
    await using setup = await serve({ middleware: [guard] });
    await using client = await RawWebSocket.connect(setup.port);
    const protocol = "chat, agentrt.bearer.a.b.c";
    const headers = { "Sec-WebSocket-Protocol": protocol, "Client-Cert": ":AAAA:" };
    const head = await client.handshake({ path: `/chat/a?status=${status}`, headers });
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
    assert.doesNotMatch(head, /a\.b\.c/, "what was refused is not echoed");
    assert.equal(await client.body(head), '{"error":"no"}');
    assert.equal(setup.messages.length, 0);
  }
  assert.deepEqual(seen[0], ["GET", "/chat/a", "Bearer a.b.c", undefined]);
  await using setup = await serve({ middleware: [guard] });
  await using client = await RawWebSocket.open(setup.port, "/chat/a?status=200");
  client.write(clientFrame("{}"));
  await answer(client);
});

test("a middleware that calls next twice is an error: the handshake fails, and it is logged", async () => {
  const twice: Middleware = async (request, next) => {
    await next(request);
    return await next(request);
  };
  const logged: TableError[] = [];
  await using setup = await serve({ middleware: [twice], logged });
  await using client = await RawWebSocket.connect(setup.port);
  assert.match(await client.handshake({ path: "/chat/a" }), /^HTTP\/1.1 500 /);
  assert.equal(setup.messages.length, 0);
  assert.deepEqual(
    logged.map(({ code }) => code),
    ["AGENTRT_GATEWAY_NEXT_CALLED_TWICE"],
  );
});

test("a middleware that never answers costs the client its connection, not the gateway its memory", async () => {
  const never: Middleware = () => new Promise(() => undefined);
  await using setup = await serve({ middleware: [never] });
  await using client = await RawWebSocket.connect(setup.port);
  const head = client.handshake({ path: "/chat/a" });
  await until(() => setup.time.pending.size > 0);
  setup.time.pass(30_000);
  assert.match(await head, /^HTTP\/1.1 504 /);
});

test("a reserved message type is answered with an error, and closed", async () => {
  for (const type of ["_agency.stop", "agentrt.x", "AGENTRT.x"]) {
    await using setup = await serve();
    await using client = await RawWebSocket.connect(setup.port);
    await client.handshake({ path: "/chat/a", headers: { "X-Agentrt-Type": type } });
    assert.deepEqual(await answer(client), {
      error: `message type '${type}' is reserved for the runtime`,
    });
    assert.equal(await client.closeCode(), 1008);
    assert.equal(setup.messages.length, 0);
  }
});

test("replies come in the order of the messages, and work in hand is bounded", async () => {
  const gates: (() => void)[] = [];
  await using setup = await serve({
    limits: { inWorkCountMax: 2 },
    behaviour: async function* ({ payload }) {
      await new Promise<void>((resolve) => gates.push(resolve));
      yield { n: payload["n"] ?? null };
    },
  });
  await using client = await RawWebSocket.open(setup.port, "/chat/a");
  for (let n = 1; n <= 20; n += 1) client.write(clientFrame(JSON.stringify({ n })));
  for (let n = 1; n <= 20; n += 1) {
    await until(() => gates.length > 0);
    assert.ok(setup.messages.length <= n + 2, `${setup.messages.length} messages at reply ${n}`);
    gates.shift()?.();
    assert.deepEqual(await answer(client), { n });
  }
});

test("a client that takes nothing holds the agent back, and is cut off in the end", async () => {
  let yielded = 0;
  let isLeft = false;
  await using setup = await serve({
    limits: { bufferedSizeBytesMax: 65_536, stallTimeoutMs: 1_000 },
    behaviour: async function* () {
      try {
        for (;;) {
          yielded += 1;
          yield { text: "x".repeat(16_384) };
        }
      } finally {
        isLeft = true;
      }
    },
  });
  await using client = await RawWebSocket.open(setup.port, "/chat/a");
  client.stall();
  client.write(clientFrame("{}"));
  let seen = -1;
  await until(async () => {
    const isStill = seen === yielded && yielded > 0;
    seen = yielded;
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    return isStill;
  });
  assert.ok(yielded < 2_000, `${yielded} chunks`);
  setup.time.pass(0);
  setup.time.pass(1_000);
  client.takeAgain();
  assert.equal(await client.closeCode(), undefined);
  await until(() => isLeft);
});

test("calls that are answered meanwhile do not put off the end of a client that takes nothing", async () => {
  let begunCount = 0;
  let leftCount = 0;
  await using setup = await serve({
    limits: { bufferedSizeBytesMax: 65_536, stallTimeoutMs: 1_000 },
    behaviour: async function* () {
      try {
        begunCount += 1;
        yield { text: "x".repeat(16_777_216) }; // More than the system takes for a client that reads nothing.
      } finally {
        leftCount += 1;
      }
    },
  });
  await using client = await RawWebSocket.open(setup.port, "/chat/a");
  client.stall();
  for (let id = 1; id <= 3; id += 1) {
    client.write(clientFrame(JSON.stringify({ id, payload: {} })));
    await until(() => begunCount === id);
    await new Promise(setImmediate); // The answer is with the connection.
    assert.equal(leftCount, 0);
    setup.time.pass(400);
  }
  let turnCount = 0;
  await until(() => leftCount === 3 || (turnCount += 1) > 1_000);
  assert.equal(leftCount, 3);
});

test("a client that takes a first message and then nothing is cut off for the second", async () => {
  let askedCount = 0;
  const left = new Set<object>();
  const text = "x".repeat(16_777_216); // More than the system takes for a client that reads nothing.
  await using setup = await serve({
    limits: { bufferedSizeBytesMax: 65_536, stallTimeoutMs: 1_000 },
    behaviour: () => {
      let isFirst = true;
      const iterator = {
        next: () => {
          askedCount += 1;
          if (!isFirst) return new Promise<never>(() => undefined);
          isFirst = false;
          return Promise.resolve({ done: false, value: { text } } as const);
        },
        return: () => {
          left.add(iterator);
          return Promise.resolve({ done: true, value: undefined } as const);
        },
      };
      return iterator as unknown as AsyncGenerator<JsonObject, void>;
    },
  });
  await using client = await RawWebSocket.open(setup.port, "/chat/a");
  client.stall();
  for (let id = 1; id <= 2; id += 1) {
    client.write(clientFrame(JSON.stringify({ id, payload: {} })));
    await until(() => setup.messages.length === id);
    await new Promise(setImmediate); // The answer is with the connection.
  }
  setup.time.pass(900);
  client.takeAgain();
  await until(() => askedCount === 3); // The first answer was taken.
  client.stall();
  setup.time.pass(999);
  await new Promise(setImmediate);
  assert.equal(left.size, 0);
  setup.time.pass(1);
  let turnCount = 0;
  await until(() => left.size === 2 || (turnCount += 1) > 1_000);
  assert.equal(left.size, 2);
});

test("a silent client is pinged, one that does not answer is cut off, an idle one is told", async () => {
  const limits = { pingIntervalMs: 10, pongTimeoutMs: 5, idleTimeoutMs: 100 };
  await using setup = await serve({ limits });
  await using client = await RawWebSocket.open(setup.port, "/chat/a");
  setup.time.pass(1);
  setup.time.pass(10);
  const ping = await client.frame();
  assert.equal(ping?.opcode, 9);
  client.write(clientFrame("{}"));
  await answer(client);
  setup.time.pass(6);
  setup.time.pass(20);
  assert.equal((await client.frame())?.opcode, 9);
  setup.time.pass(5);
  assert.equal(await client.closeCode(), undefined);

  await using idle = await RawWebSocket.open(setup.port, "/chat/a");
  setup.time.pass(100);
  assert.equal(await idle.closeCode(), 4408);
});

test("a connection ends with the identity of its handshake, whatever it does then", async () => {
  let leave: (() => void) | undefined;
  const endless: Behaviour = async function* () {
    yield { n: 1 };
    await new Promise<void>((resolve) => (leave = resolve));
    yield { n: 2 };
  };
  for (const isBusy of [false, true]) {
    const until: Middleware = async (request, next) => {
      request.auth = { id: "ada", expiresAtMs: setup.time.nowMs() + 5_000 };
      return await next(request);
    };
    await using setup = await serve({ middleware: [until], behaviour: endless });
    await using client = await RawWebSocket.open(setup.port, "/chat/a");
    if (isBusy) {
      client.write(clientFrame("{}"));
      assert.deepEqual(await answer(client), { n: 1 });
    }
    setup.time.pass(4_999);
    setup.time.pass(1);
    const closing = await client.frame();
    assert.deepEqual([closing?.opcode, closing?.payload.readUInt16BE(0)], [8, 4401]);
    leave?.();
  }
});

for (const { name, jumpMs, servedMs } of [
  { name: "ahead ends it at once", jumpMs: 3_600_000, servedMs: 0 },
  { name: "back does not lengthen it", jumpMs: -3_600_000, servedMs: 4_999 },
])
  test(`a connection ends with its identity: a wall clock that is set ${name}`, async () => {
    let expiresAtMs = 0;
    const until: Middleware = async (request, next) => {
      request.auth = { id: "ada", expiresAtMs };
      return await next(request);
    };
    await using setup = await serve({ middleware: [until] });
    const { time } = setup;
    expiresAtMs = time.nowMs() + 5_000;
    await using client = await RawWebSocket.open(setup.port, "/chat/a");
    const wallMs = time.nowMs.bind(time);
    time.nowMs = () => wallMs() + jumpMs;
    if (servedMs > 0) {
      time.pass(servedMs);
      client.write(clientFrame("{}"));
      await answer(client);
    }
    time.pass(1);
    const closing = await client.frame();
    assert.deepEqual([closing?.opcode, closing?.payload.readUInt16BE(0)], [8, 4401]);
  });

test("messages of one connection share a correlation id, by which the agent knows the session", async () => {
  await using setup = await serve();
  for (const _ of [1, 2]) {
    await using client = await RawWebSocket.open(setup.port, "/chat/a");
    for (const text of ["{}", "7"]) {
      client.write(clientFrame(text));
      await answer(client);
    }
  }
  const ids = setup.messages.map(({ correlationId }) => correlationId);
  const [first, , second] = ids;
  assert.deepEqual(ids, [first, first, second, second]);
  assert.notEqual(first, second);
});

test("connections are counted, and room is made again", async () => {
  await using setup = await serve({ limits: { connectionCountMax: 1 } });
  {
    await using first = await RawWebSocket.open(setup.port, "/chat/a");
    first.write(clientFrame("{}"));
    await answer(first);
    await using second = await RawWebSocket.connect(setup.port);
    assert.match(await second.handshake({ path: "/chat/a" }), /^HTTP\/1.1 503 .*retry-after: 5/is);
  }
  for (;;) {
    await using third = await RawWebSocket.connect(setup.port);
    if ((await third.handshake({ path: "/chat/a" })).startsWith("HTTP/1.1 101 ")) return;
  }
});

test("a stop closes idle connections with 1001 and the others behind their reply", async () => {
  let finish: (() => void) | undefined;
  await using setup = await serve({
    behaviour: async function* () {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      yield { isLast: true };
    },
  });
  await using idle = await RawWebSocket.open(setup.port, "/chat/a");
  await using busy = await RawWebSocket.open(setup.port, "/chat/a");
  busy.write(clientFrame("{}"));
  await until(() => finish !== undefined);
  const stopped = setup.listener.stop({ timeoutMs: 60_000 });
  await setup.time.fire(200);
  assert.equal(await idle.closeCode(), 1001);
  await idle[Symbol.asyncDispose]();
  (finish as () => void)();
  assert.deepEqual(await answer(busy), { isLast: true });
  assert.equal(await busy.closeCode(), 1001);
  busy.write(clientFrame(Buffer.from([0x03, 0xe9]), { first: 0x88 }));
  assert.deepEqual(await stopped, { cutCount: 0 });
});

test("what is left at the deadline of a stop is cut off and counted, and the agent told", async () => {
  let isAsked = false;
  let leave: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  await using setup = await serve({
    behaviour: () => {
      isAsked = true;
      const never = new Promise<IteratorResult<JsonObject, undefined>>(() => undefined);
      const iterator = {
        next: () => never,
        return: () => {
          leave?.();
          return Promise.resolve({ done: true, value: undefined } as const);
        },
      };
      return iterator as unknown as AsyncGenerator<JsonObject, void>;
    },
  });
  await using busy = await RawWebSocket.open(setup.port, "/chat/a");
  busy.write(clientFrame("{}"));
  await until(() => isAsked);
  const stopped = setup.listener.stop({ timeoutMs: 60_000 });
  await setup.time.fire(60_000);
  assert.equal(await busy.closeCode(), 1001);
  await busy[Symbol.asyncDispose]();
  assert.deepEqual(await stopped, { cutCount: 1 });
  await left;
});

test("messages with an id are calls, answered as soon as they can be; a cancelled one is not", async () => {
  const gates = new Map<unknown, PromiseWithResolvers<void>>();
  const left: unknown[] = [];
  const gateOf = (name: unknown): PromiseWithResolvers<void> => {
    const known = gates.get(name) ?? Promise.withResolvers<void>();
    gates.set(name, known);
    return known;
  };
  const behaviour: Behaviour = async function* ({ payload }) {
    try {
      if (payload["fail"] === true) throw new agentErrors.CRASHED({ agent: "chat", reason: "x" });
      yield { begun: payload["n"] ?? null };
      await gateOf(payload["n"]).promise;
      yield { done: payload["n"] ?? null };
    } finally {
      left.push(payload["n"] ?? null);
    }
  };
  await using setup = await serve({ behaviour, limits: { inWorkCountMax: 2 } });
  await using client = await RawWebSocket.open(setup.port, "/chat/a");
  const say = (value: unknown): void => client.write(clientFrame(JSON.stringify(value)));
  say({ id: 1, payload: { n: 1 } });
  say({ id: "b", payload: { n: 2 } });
  assert.deepEqual(await answer(client), { id: 1, payload: { begun: 1 } });
  assert.deepEqual(await answer(client), { id: "b", payload: { begun: 2 } });
  say({ id: 1, payload: {} });
  assert.deepEqual(await answer(client), { id: 1, error: "id is in use" });
  say({ id: 3, payload: {} });
  assert.deepEqual(await answer(client), { id: 3, error: "connection has 2 calls in work" });
  gateOf(2).resolve();
  assert.deepEqual(await answer(client), { id: "b", payload: { done: 2 } });
  assert.deepEqual(await answer(client), { id: "b", end: true });
  say({ id: 1, cancel: true });
  say({ id: "no such call", cancel: true });
  say({ id: 1, payload: { n: 4, fail: true } });
  assert.deepEqual(await answer(client), { id: 1, error: "agent 'chat' crashed" });
  gateOf(1).resolve();
  await until(() => left.includes(1));
  // An id next to anything else is a member of the payload, as ever.
  gateOf(5).resolve();
  say({ id: 9, n: 5 });
  assert.deepEqual(await answer(client), { begun: 5 });
  assert.deepEqual(await answer(client), { done: 5 });
});

test("a connection that closes ends its calls, and one with a call is not idle", async () => {
  const ended = Promise.withResolvers<void>();
  const behaviour: Behaviour = async function* () {
    try {
      for (let n = 0; ; n += 1) {
        yield { n };
        await new Promise(setImmediate);
      }
    } finally {
      ended.resolve();
    }
  };
  await using setup = await serve({ behaviour });
  {
    await using client = await RawWebSocket.open(setup.port, "/chat/a");
    client.write(clientFrame('{"id":1,"payload":{}}'));
    assert.deepEqual(await answer(client), { id: 1, payload: { n: 0 } });
    client.end();
  }
  await ended.promise;
});
