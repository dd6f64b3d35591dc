import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableError } from "../../core/index.ts";
import { agentErrors, busErrors, streamErrors } from "../../core/errors.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { createRealSystem } from "../../core/ports/system.ts";
import { agentRoutes, defaultRoutes, type RouteConfig } from "../dispatch/index.ts";
import { eventStreamLimitDefaults, EventStreams } from "../dispatch/event-streams.ts";
import { createRequestChain } from "./request-chain.ts";
import { createHttpListener } from "../http/listener.ts";
import { createMiddlewareResolver } from "../middleware/middleware-resolver.ts";
import type { GatewayRequest, GatewayResponse } from "../request.ts";
import type { Handler, Middleware } from "./middleware.ts";
import type { AgentBus, GatewayMessage } from "../ports.ts";
import { type TestClient, testClients, type TestRequest } from "testkit";
import { loneGateway } from "../test-support/lone-gateway.ts";

type TestAgent = (message: GatewayMessage) => Promise<JsonObject>;

/** The bus as the gateway sees it, with agents that are plain functions. */
class TestBus implements AgentBus {
  readonly sent: GatewayMessage[] = [];
  readonly #agents: { readonly [name: string]: TestAgent };

  constructor(agents: { readonly [name: string]: TestAgent }) {
    this.#agents = agents;
  }

  call(message: GatewayMessage): Promise<JsonObject> {
    return this.#deliver(message);
  }

  async cast(message: GatewayMessage): Promise<void> {
    await this.#deliver(message);
  }

  stream(): AsyncIterator<JsonObject, undefined> {
    throw new Error("there are no streams");
  }

  chooseCapable(): string {
    throw new Error("there are no capabilities");
  }

  hasAgent(name: string): boolean {
    return Object.hasOwn(this.#agents, name);
  }

  isInfrastructure(): boolean {
    return false;
  }

  #deliver(message: GatewayMessage): Promise<JsonObject> {
    this.sent.push(message);
    const agent = this.#agents[message.recipient];
    if (agent === undefined) throw new busErrors.NO_ROUTE({ address: message.recipient });
    return agent(message);
  }
}

const agents: { readonly [name: string]: TestAgent } = {
  echo: async (call) => call.payload,
  silent: async () => ({}),
  refusing: async () => ({ error: "no such order", code: 7 }),
  slow: async (call) => {
    throw new busErrors.TIMEOUT({ address: call.recipient, timeoutMs: 30_000 });
  },
  crashing: async (call) => {
    throw new agentErrors.CRASHED({ agent: call.recipient, reason: "secret detail" });
  },
  full: async (call) => {
    throw new busErrors.MAILBOX_FULL({ address: call.recipient, mailboxLengthMax: 1 });
  },
  stopped: async (call) => {
    throw new agentErrors.STOPPED({ agent: call.recipient });
  },
  failing: async (call) => {
    throw new agentErrors.FAILED({ agent: call.recipient, reason: "secret detail" });
  },
  streaming: async (call) => {
    throw new streamErrors.NOT_A_REPLY({ agent: call.recipient });
  },
  broken: async () => {
    throw new Error("secret detail");
  },
  unprintable: async () => ({ toJSON: (() => assert.fail("secret detail")) as never }),
};

interface Setup extends AsyncDisposable {
  readonly bus: TestBus;
  readonly port: number;
  readonly logged: unknown[];
}

async function serve(routes: readonly RouteConfig[]): Promise<Setup> {
  const bus = new TestBus(agents);
  const logged: unknown[] = [];
  const log = {
    warn: (message: string): void => assert.fail(message),
    error: (message: string, fields: object) => void logged.push({ message, ...fields }),
  };
  const resolveMiddleware = createMiddlewareResolver({
    node: "api",
    system: createRealSystem(),
    log,
    environment: {},
  });
  const streams = new EventStreams(createRealSystem(), eventStreamLimitDefaults, log);
  const dispatch = {
    bus,
    log,
    requestTimeoutMs: 30_000,
    castTimeoutMs: 1_000,
    streams,
    system: createRealSystem(),
    trustedProxies: undefined,
    resolveMiddleware,
  };
  const chain = createRequestChain({
    process: loneGateway,
    routes: routes.length > 0 ? await agentRoutes(routes, dispatch) : defaultRoutes(dispatch),
    log,
  });
  const listener = createHttpListener({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    chain,
    log,
    system: createRealSystem(),
  });
  const { port } = await listener.start();
  return {
    bus,
    port,
    logged,
    async [Symbol.asyncDispose]() {
      await listener.stop({ timeoutMs: 0 });
    },
  };
}

/** Sends a row and compares. */
async function check(
  { client, setup }: { readonly client: TestClient; readonly setup: Setup },
  row: TestRequest | string,
  expected: readonly [status: number, body: unknown],
): Promise<{ readonly [name: string]: string }> {
  const wanted = typeof row === "string" ? { request: row } : row;
  const { status, headers, body } = await client.ask(setup, wanted);
  const parsed: unknown = body === "" ? undefined : JSON.parse(body);
  assert.deepEqual([status, parsed], expected, wanted.request.slice(0, 100));
  return headers;
}

for (const client of testClients) {
  test(`over ${client.name}: default routes call, cast and ask for the state of agents in the tree`, async () => {
    await using setup = await serve([]);
    await check({ client, setup }, { request: "POST /agents/echo", body: '{"name":"Ada"}' }, [
      200,
      { name: "Ada" },
    ]);
    await check({ client, setup }, "POST /agents/echo?name=Bob&x=1", [
      200,
      { name: "Bob", x: "1" },
    ]);
    await check({ client, setup }, { request: "POST /agents/echo/cast", body: '{"a":[1]}' }, [
      202,
      {},
    ]);
    await check({ client, setup }, "GET /agents/echo/state", [200, { __op__: "state" }]);
    await check({ client, setup }, "GET /agents/echo/state?__op__=drop", [
      200,
      { __op__: "state" },
    ]);
    await check({ client, setup }, "POST /agents/silent", [200, {}]);
    await check({ client, setup }, "POST /agents/nobody", [
      404,
      { error: "agent 'nobody' not found" },
    ]);
    await check({ client, setup }, "POST /agents/nobody/cast", [
      404,
      { error: "agent 'nobody' not found" },
    ]);
    await check({ client, setup }, "POST /agents/__proto__", [
      404,
      { error: "agent '__proto__' not found" },
    ]);
    await check({ client, setup }, "POST /agents/a%2Fb", [404, { error: "agent 'a/b' not found" }]);
    await check({ client, setup }, "GET /agents", [404, { error: "no route for GET /agents" }]);
    const headers = await check({ client, setup }, "GET /agents/echo", [
      405,
      { error: "method GET is not allowed for /agents/echo" },
    ]);
    assert.equal(headers["allow"], "OPTIONS, POST");
    assert.deepEqual(
      setup.bus.sent.map((sent) => sent.type),
      ["http.request", "http.request", "http.request", "state", "state", "http.request"],
    );
  });

  test(`over ${client.name}: declared routes replace the default ones and merge query < body < path`, async () => {
    await using setup = await serve([
      { method: "GET", path: "/orders/{id}", agent: "echo" },
      { method: "put", path: "/orders/{id}", agent: "echo", mode: "cast" },
      { method: "POST", path: "/gone", agent: "nobody" },
    ]);
    await check(
      { client, setup },
      { request: "GET /orders/7?id=8&a=q&b=q", body: '{"id":9,"a":"body"}' },
      [200, { id: "7", a: "body", b: "q" }],
    );
    await check({ client, setup }, "GET /orders/a%2Fb%0d%0aX:1", [200, { id: "a/b\r\nX:1" }]);
    if (client.name === "HTTP/1.1") {
      await check({ client, setup }, "GET http://other/orders/7", [200, { id: "7" }]);
      await check({ client, setup }, "GET ftp://h/orders/7", [
        400,
        { error: "malformed request target" },
      ]);
    }
    await check({ client, setup }, "PUT /orders/7", [202, {}]);
    await check({ client, setup }, "POST /gone", [404, { error: "agent 'nobody' not found" }]);
    await check({ client, setup }, "POST /agents/echo", [
      404,
      { error: "no route for POST /agents/echo" },
    ]);
    await check({ client, setup }, "GET //orders/7", [
      404,
      { error: "no route for GET //orders/7" },
    ]);
    for (const path of ["/orders/..", "/orders/%2e%2e", "/orders/%zz", "/./orders/7"]) {
      await check({ client, setup }, `GET ${path}`, [400, { error: "malformed request path" }]);
    }
    const options = await check({ client, setup }, "OPTIONS /orders/7", [204, undefined]);
    assert.equal(options["allow"], "GET, HEAD, OPTIONS, PUT");
    const long = `/${"x".repeat(10_000)}`;
    await check({ client, setup }, `GET ${long}`, [
      404,
      { error: `no route for GET ${long.slice(0, 256)}…` },
    ]);
    await check({ client, setup }, `GET ${"/a".repeat(5_000)}`, [
      404,
      { error: `no route for GET ${"/a".repeat(128)}…` },
    ]);
  });

  test(`over ${client.name}: bodies are JSON objects within limits, or refused`, async () => {
    await using setup = await serve([]);
    const post = (
      body: string | Uint8Array,
      expected: readonly [number, unknown],
      headers: { [name: string]: string } = {},
    ): Promise<unknown> =>
      check({ client, setup }, { request: "POST /agents/echo", body, headers }, expected);
    const notJson = [400, { error: "invalid JSON body" }] as const;
    const notObject = [400, { error: "request body must be a JSON object" }] as const;
    const media = [
      415,
      {
        error:
          "content type is not supported: send application/json in UTF-8, or multipart/form-data",
      },
    ] as const;
    await post("", [200, {}]);
    await post("", [200, {}], { "Content-Type": "text/plain" });
    for (const bad of [
      "{",
      "NaN",
      "{'a':1}",
      '{"a":1}x',
      " ",
      new Uint8Array([0x22, 0xff, 0x22]),
    ]) {
      await post(bad, notJson);
    }
    for (const bad of ["[]", "null", "1", '"x"', "true"]) await post(bad, notObject);
    await post('\ufeff{"a":1}', [200, { a: 1 }]);
    await post('{"a":1,"a":2}', [200, { a: 2 }]);
    for (const type of [
      "application/json",
      "Application/JSON; charset=UTF-8",
      "application/ld+json",
    ]) {
      await post('{"a":1}', [200, { a: 1 }], { "Content-Type": type });
    }
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/mixed; boundary=x",
      "application/json; charset=utf-16",
      "application/jsonx",
    ]) {
      await post('{"a":1}', media, { "Content-Type": type });
    }
    await post(
      "{}",
      [415, { error: "content encoding is not supported: send the body as plain JSON" }],
      {
        "Content-Encoding": "gzip",
      },
    );
    const deep = (count: number): string => `{"a":${"[".repeat(count)}${"]".repeat(count)}}`;
    const tooDeep = [400, { error: "request body nests deeper than 128 levels" }] as const;
    await post(deep(127), [200, JSON.parse(deep(127))]);
    await post(deep(128), tooDeep);
    await post(deep(100_000), tooDeep);
    await post("[".repeat(100_000), notJson);
    const padded = (sizeBytes: number): string => `{"a":"${"x".repeat(sizeBytes - 8)}"}`;
    await post(padded(1_048_576), [200, JSON.parse(padded(1_048_576))]);
    await post(padded(1_048_577), [413, { error: "request body is longer than 1048576 bytes" }]);
  });

  test(`over ${client.name}: multipart bodies are fields and files, or refused`, async () => {
    await using setup = await serve([]);
    const post = (
      parts: readonly string[] | string | Uint8Array,
      expected: readonly [number, unknown],
      type = "multipart/form-data; boundary=xyz",
    ): Promise<unknown> => {
      const body =
        typeof parts === "string" || parts instanceof Uint8Array
          ? parts
          : `${parts.map((part) => `--xyz\r\n${part}\r\n`).join("")}--xyz--\r\n`;
      const headers = { "content-type": type };
      return check(
        { client, setup },
        { request: "POST /agents/echo?q=1", body, headers },
        expected,
      );
    };
    const field = (name: string, value: string): string =>
      `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
    const file =
      'content-disposition: form-data; name="photo"; filename="a \\"b\\".png"\r\nContent-Type: image/png\r\n\r\n\u0001\r\n--xy\r\n';
    const photo = {
      filename: 'a "b".png',
      content_type: "image/png",
      size: 9,
      content_base64: Buffer.from("\u0001\r\n--xy\r\n").toString("base64"),
    };
    await post(
      [field("a", "1"), field("a", "zwei \u00e9\r\n"), file, field("b", "")],
      [200, { q: "1", a: "zwei \u00e9\r\n", b: "", __files__: { photo } }],
    );
    await post([], [200, { q: "1" }]);
    await post([field("__proto__", "p")], [200, JSON.parse('{"q":"1","__proto__":"p"}')]);
    await post([field("__principal__", "root")], [200, { q: "1" }]);
    await post([field("a", "1")], [200, { q: "1", a: "1" }], 'Multipart/Form-Data; boundary="xyz"');
    const refused = (reason: string) =>
      [400, { error: `invalid multipart body: ${reason}` }] as const;
    await post("--xyz\r\n", refused("it ends without the last boundary"));
    await post("nothing", refused("there is no boundary in it"));
    await post("--xyzz", refused("a boundary is not followed by the end of the line"));
    await post(["a: b\r\n\r\n"], refused("a part has no form-data disposition"));
    await post(["Content-Disposition: form-data\r\n\r\n"], refused("a part has no name"));
    await post(["nothing"], refused("a part has no headers, or too many"));
    await post(
      ["Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\nAA=="],
      refused("a part is encoded, want its bytes as they are"),
    );
    await post("", [200, { q: "1" }], "multipart/form-data");
    await post("x", refused("the content type names no boundary"), "multipart/form-data");
    const many = Array.from({ length: 1_001 }, (_, index) => field(`n${index}`, ""));
    await post(many, refused("it has more than 1000 parts"));
    const most = Object.fromEntries(many.slice(1).map((_, index) => [`n${index + 1}`, ""]));
    await post(many.slice(1), [200, { q: "1", ...most }]);
    const inside = "the text --xyz in a line";
    await post([field("a", inside)], [200, { q: "1", a: inside }]);
    const twoNames = `form-data; name="f"; filename="\u65e5.txt"; filename*=UTF-8''b.txt`;
    const text = { filename: "\u65e5.txt", content_type: "application/octet-stream" };
    await post(
      [`Content-Disposition: ${twoNames}\r\n\r\nv`],
      [200, { q: "1", __files__: { f: { ...text, size: 1, content_base64: "dg==" } } }],
    );
    const long = `X: ${"y".repeat(16_384)}\r\n${field("a", "1")}`;
    await post([long], refused("a part has no headers, or too many"));
    const bytes = (part: string): Uint8Array =>
      Buffer.from(`--xyz\r\n${part}\r\n--xyz--\r\n`, "latin1");
    await post(bytes(field("a", "\u00ff")), refused('field "a" is not UTF-8'));
    await post(bytes(field("\u00ff", "")), refused("the headers of a part are not UTF-8"));
  });

  test(`over ${client.name}: no member name reaches a prototype, and a client's __principal__ is dropped`, async () => {
    await using setup = await serve([
      { method: "POST", path: "/x/{__proto__}", agent: "echo" },
      { method: "POST", path: "/y", agent: "echo" },
    ]);
    const hostile = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';
    await check({ client, setup }, { request: "POST /y", body: hostile }, [
      200,
      JSON.parse(hostile),
    ]);
    await check({ client, setup }, "POST /y?__proto__=q&constructor=c", [
      200,
      JSON.parse('{"__proto__":"q","constructor":"c"}'),
    ]);
    await check({ client, setup }, { request: "POST /x/p", body: hostile }, [
      200,
      JSON.parse('{"__proto__":"p","constructor":{"prototype":{"isAdmin":true}}}'),
    ]);
    const claim = '{"__principal__":{"id":"root"},"a":1}';
    await check({ client, setup }, { request: "POST /y?__principal__=root", body: claim }, [
      200,
      { a: 1 },
    ]);
    const payload = setup.bus.sent[0]?.payload ?? {};
    assert.equal(payload["isAdmin"], undefined);
    assert.ok(Object.hasOwn(payload, "__proto__"));
    assert.equal(({} as { isAdmin?: unknown }).isAdmin, undefined);
  });

  test(`over ${client.name}: a middleware that calls next twice is an error, and the handler runs once`, async () => {
    async function twice(request: GatewayRequest, next: Handler): Promise<GatewayResponse> {
      await next(request);
      return await next(request);
    }
    const sync: Middleware = (request, next) => {
      void next(request);
      return next(request);
    };
    await using setup = await serve([
      { method: "POST", path: "/async", agent: "echo", middleware: [twice] },
      { method: "POST", path: "/sync", agent: "echo", middleware: [sync] },
    ]);
    await check({ client, setup }, "POST /async", [500, { error: "internal error" }]);
    await check({ client, setup }, "POST /sync", [500, { error: "internal error" }]);
    assert.equal(setup.bus.sent.length, 2);
    const causes = setup.logged.map((entry) => (entry as { readonly error: TableError }).error);
    assert.deepEqual(
      causes.map(({ code }) => code),
      ["AGENTRT_GATEWAY_NEXT_CALLED_TWICE", "AGENTRT_GATEWAY_NEXT_CALLED_TWICE"],
    );
    assert.equal(
      causes[0]?.message,
      'Cannot pass a request on: middleware "twice" called next() multiple times',
    );
  });

  test(`over ${client.name}: failures become statuses; what is not the client's business is logged, not shown`, async () => {
    await using setup = await serve([]);
    const fails = (
      name: string,
      status: number,
      error: string,
    ): Promise<{ readonly [name: string]: string }> =>
      check({ client, setup }, `POST /agents/${name}`, [status, { error }]);
    await fails("slow", 504, "upstream timeout");
    await fails("crashing", 502, "agent 'crashing' crashed");
    assert.equal(
      (await fails("full", 503, "agent 'full' has no room for more messages"))["retry-after"],
      "1",
    );
    const ofStopped = await fails("stopped", 503, "agent 'stopped' is stopped");
    assert.equal(ofStopped["retry-after"], undefined, "it does not come back by itself");
    await check({ client, setup }, "POST /agents/full/cast", [
      503,
      { error: "agent 'full' has no room for more messages" },
    ]);
    await check({ client, setup }, "POST /agents/refusing", [
      400,
      { error: "no such order", code: 7 },
    ]);
    await fails("failing", 502, "agent 'failing' failed to handle the message");
    await fails("streaming", 502, "agent 'streaming' answers with a stream, not with one reply");
    assert.equal(setup.logged.length, 0);
    await fails("broken", 500, "internal error");
    await fails("unprintable", 500, "internal error");
    assert.equal(setup.logged.length, 2);
  });

  test(`over ${client.name}: X-Agentrt-Type chooses the message type, except the runtime's own`, async () => {
    await using setup = await serve([]);
    const typed = (type: string, expected: readonly [number, unknown]): Promise<unknown> =>
      check(
        { client, setup },
        { request: "POST /agents/echo", headers: { "X-Agentrt-Type": type } },
        expected,
      );
    await typed("order.created", [200, {}]);
    await typed("", [200, {}]);
    for (const type of ["_agency.stop", "agentrt.stop", "_AGENCY.x", "AgentRT.x"]) {
      await typed(type, [400, { error: `message type '${type}' is reserved for the runtime` }]);
    }
    for (const type of ["a b", "a,b", "caf\u00e9", "x".repeat(129)]) {
      await typed(type, [400, { error: "malformed X-Agentrt-Type header" }]);
    }
    assert.deepEqual(
      setup.bus.sent.map((sent) => sent.type),
      ["order.created", "http.request"],
    );
  });

  test(`over ${client.name}: traceparent is handed on with calls and casts when it is whole`, async () => {
    await using setup = await serve([]);
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const parentSpanId = "b7ad6b7169203331";
    const good = { traceparent: `00-${traceId}-${parentSpanId}-01` };
    await check({ client, setup }, { request: "POST /agents/echo", headers: good }, [200, {}]);
    await check({ client, setup }, { request: "POST /agents/echo/cast", headers: good }, [202, {}]);
    const bad = { traceparent: `00-${"0".repeat(32)}-${parentSpanId}-01` };
    await check({ client, setup }, { request: "POST /agents/echo", headers: bad }, [200, {}]);
    assert.deepEqual(
      setup.bus.sent.map(({ trace }) => [trace?.traceId === traceId, trace?.parentSpanId]),
      [
        [true, parentSpanId],
        [true, parentSpanId],
        [false, undefined],
      ],
    );
  });

  test(`over ${client.name}: HEAD is served as GET without the body`, async () => {
    await using setup = await serve([{ method: "GET", path: "/x", agent: "echo" }]);
    const { status, headers, body } = await client.ask(setup, { request: "HEAD /x?a=1" });
    assert.deepEqual([status, headers["content-length"], body], [200, "9", ""]);
  });
}
