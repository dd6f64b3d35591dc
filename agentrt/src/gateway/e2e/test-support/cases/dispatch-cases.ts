import { type CaseExpectation, type GatewayCase, notApplicable } from "./case.ts";

const noStatus = notApplicable("WebSocket has no statuses: what came stands in a message");
const noTarget = notApplicable("a call names its agent, not a method and a path");
const noPath = notApplicable("a handshake on a path that is no route is an ordinary HTTP request");
const bodiesAreProtobuf = notApplicable("messages are protobuf, not JSON");

/** A refusal that says the same everywhere. */
export function refusal(error: string, status: { http: number; grpc: number }): CaseExpectation {
  return {
    http: { status: status.http, body: { error } },
    webSocket: { status: 101, body: { error } },
    grpc: { status: status.grpc, body: { error } },
  };
}

const echoed = (type: string, more: object = {}): object => ({ type, payload: {}, ...more });
const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" };
const traceparent = `00-${trace.traceId}-${trace.parentSpanId}-01`;
const own = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}';
const deep = `{"a":${"[".repeat(128)}${"]".repeat(128)}}`;
const media =
  "content type is not supported: send application/json in UTF-8, or multipart/form-data";

const changedNumber =
  "the number 9007199254740993, which cannot be kept exactly: send it as a string";
const longNumbers = { a: 9_007_199_254_740_992, b: 0.123_456_789_012_345_68, c: 1e20 };

/** Routes, bodies, payloads, the outcome of a call, middleware: what is accepted, and the status of what is not. */
export const dispatchCases: readonly GatewayCase[] = [
  {
    name: "reply: a call is answered with 200 and the reply",
    request: { payload: { name: "Ada" } },
    expected: {
      http: {
        status: 200,
        body: { type: "http.request", payload: { name: "Ada" } },
        headers: { "content-type": "application/json", "content-length": "48" },
      },
      webSocket: { status: 101, body: { type: "ws.message", payload: { name: "Ada" } } },
      grpc: { status: 0, body: { type: "grpc.request", payload: { name: "Ada" } } },
    },
  },
  {
    name: "reply: an agent that returns nothing answers with nothing",
    request: { agent: "silent" },
    expected: {
      http: { status: 200, body: {} },
      webSocket: notApplicable("a reply that is not there is no message"),
      grpc: { status: 0, body: {} },
    },
  },
  {
    name: "reply with a member error: 400 and the whole reply",
    request: { agent: "refusing" },
    expected: {
      http: { status: 400, body: { error: "no such order", code: 7 } },
      webSocket: { status: 101, body: { error: "no such order", code: 7 } },
      grpc: { status: 0, body: { error: "no such order", code: 7 } },
    },
  },
  {
    name: "cast accepted: 202 at once",
    request: { agent: "sleeping", mode: "cast" },
    expected: {
      http: { status: 202, body: {} },
      webSocket: notApplicable(
        "a message without an id says nothing when it is taken, only what is answered",
      ),
      grpc: { status: 0, body: undefined },
    },
  },
  {
    name: "no route: 404",
    request: { target: "POST /nothing" },
    expected: {
      http: { status: 404, body: { error: "no route for POST /nothing" } },
      webSocket: noPath,
      grpc: noTarget,
    },
  },
  {
    name: "the rest of a path: decoded, with its slashes",
    request: { target: "GET /files/docs/caf%C3%A9/a.txt", body: "" },
    expected: {
      http: {
        status: 200,
        body: { type: "http.request", payload: { path: "docs/café/a.txt" } },
      },
      webSocket: noTarget,
      grpc: noTarget,
    },
  },
  {
    name: "the rest of a path: a route with a placeholder goes before it",
    request: { target: "GET /files/7/meta", body: "" },
    expected: {
      http: { status: 200, body: { type: "http.request", payload: { id: "7" } } },
      webSocket: noTarget,
      grpc: noTarget,
    },
  },
  {
    name: "the rest of a path: what would lead out of a folder is no route",
    request: { target: "GET /files/..%2F..%2Fetc/passwd", body: "" },
    expected: {
      http: { status: 404, body: { error: "no route for GET /files/..%2F..%2Fetc/passwd" } },
      webSocket: noTarget,
      grpc: noTarget,
    },
  },
  {
    name: "wrong method on a known path: 405 with Allow",
    request: { target: "DELETE /orders/7" },
    expected: {
      http: {
        status: 405,
        body: { error: "method DELETE is not allowed for /orders/7" },
        headers: { allow: "GET, HEAD, OPTIONS, PUT" },
      },
      webSocket: noTarget,
      grpc: noTarget,
    },
  },
  {
    name: "unknown agent: 404",
    request: { agent: "nobody" },
    expected: refusal("agent 'nobody' not found", { http: 404, grpc: 5 }),
  },
  {
    name: "unknown agent, cast: 404",
    request: { agent: "nobody", mode: "cast" },
    expected: {
      ...refusal("agent 'nobody' not found", { http: 404, grpc: 5 }),
      webSocket: noStatus,
    },
  },
  {
    name: "unknown agent on the default routes: 404",
    request: { gateway: "default", agent: "ghost" },
    expected: {
      ...refusal("agent 'ghost' not found", { http: 404, grpc: 5 }),
      webSocket: notApplicable("there are no default routes for WebSocket"),
    },
  },
  {
    name: "limit request_timeout: a call that is not answered in time is 504",
    request: { agent: "sleeping" },
    expected: refusal("upstream timeout", { http: 504, grpc: 4 }),
  },
  {
    name: "an agent that crashes in a call: 502 at once",
    request: { agent: "crashing" },
    expected: refusal("agent 'crashing' crashed", { http: 502, grpc: 13 }),
  },
  {
    name: "a suspended agent: 504",
    request: { agent: "suspended", before: [{ agent: "suspended", mode: "cast" }] },
    expected: refusal("upstream timeout: agent 'suspended' is suspended", { http: 504, grpc: 4 }),
  },
  {
    name: "a suspended agent, and a client that does not wait: 503 at once",
    request: {
      agent: "suspended",
      before: [{ agent: "suspended", mode: "cast" }],
      headers: { "x-agentrt-fail-if-suspended": "true" },
    },
    expected: refusal("agent 'suspended' is suspended", { http: 503, grpc: 14 }),
  },
  {
    name: "a suspended agent, and a client that does not wait for its stream: 503 at once",
    request: {
      agent: "suspended",
      mode: "stream",
      before: [{ agent: "suspended", mode: "cast" }],
      headers: { "x-agentrt-fail-if-suspended": "true" },
    },
    expected: {
      ...refusal("agent 'suspended' is suspended", { http: 503, grpc: 14 }),
      webSocket: notApplicable("over WebSocket each message is a stream: the case before"),
      grpc: { status: 14, body: [{ error: "agent 'suspended' is suspended" }] },
    },
  },
  {
    name: "a suspended agent, and a route that does not wait: 503 at once",
    request: {
      gateway: "bounded",
      agent: "prompt",
      target: "POST /prompt",
      before: [{ agent: "suspended", mode: "cast" }],
    },
    expected: {
      ...refusal("agent 'suspended' is suspended", { http: 503, grpc: 14 }),
      grpc: notApplicable("a call names its agent, not a route"),
    },
  },
  {
    name: "a full mailbox: 503 with Retry-After",
    request: {
      agent: "full",
      before: [
        { agent: "full", mode: "cast" },
        { agent: "full", mode: "cast" },
        { agent: "full", mode: "cast" },
      ],
    },
    expected: {
      http: {
        status: 503,
        body: { error: "agent 'full' has no room for more messages" },
        headers: { "retry-after": "1" },
      },
      webSocket: { status: 101, body: { error: "agent 'full' has no room for more messages" } },
      grpc: { status: 14, body: { error: "agent 'full' has no room for more messages" } },
    },
  },
  {
    name: "an agent that answers with a stream on a call route: 502",
    request: { agent: "counting" },
    expected: {
      http: {
        status: 502,
        body: { error: "agent 'counting' answers with a stream, not with one reply" },
      },
      webSocket: notApplicable("every reply may be a stream"),
      grpc: {
        status: 13,
        body: { error: "agent 'counting' answers with a stream, not with one reply" },
      },
    },
  },
  {
    name: "outgoing message: X-Agentrt-Type sets the type",
    request: { headers: { "x-agentrt-type": "order.created" } },
    expected: {
      http: { status: 200, body: echoed("order.created") },
      webSocket: { status: 101, body: echoed("order.created") },
      grpc: { status: 0, body: echoed("order.created") },
    },
  },
  ...["_agency.stop", "agentrt.stop", "_AGENCY.x", "AgentRT.x"].map((type): GatewayCase => {
    const error = `message type '${type}' is reserved for the runtime`;
    return {
      name: `reserved type ${type}: refused`,
      request: { headers: { "x-agentrt-type": type } },
      expected: refusal(error, { http: 400, grpc: 3 }),
    };
  }),
  {
    name: "a reserved type with dots of another script is no type at all",
    request: { headers: { "x-agentrt-type": "agentrt\u3002stop" } },
    expected: {
      http: notApplicable("a header holds no such character"),
      webSocket: notApplicable("a header holds no such character"),
      grpc: { status: 3, body: { error: "malformed X-Agentrt-Type header" } },
    },
  },
  {
    name: "a type that is none: refused",
    request: { headers: { "x-agentrt-type": "a b" } },
    expected: refusal("malformed X-Agentrt-Type header", { http: 400, grpc: 3 }),
  },
  {
    name: "outgoing message: traceparent gives trace and parent span",
    request: { headers: { traceparent } },
    expected: {
      http: { status: 200, body: echoed("http.request", trace) },
      webSocket: { status: 101, body: echoed("ws.message", trace) },
      grpc: { status: 0, body: echoed("grpc.request", trace) },
    },
  },
  {
    name: "outgoing message: a traceparent of zeros is ignored",
    request: { headers: { traceparent: `00-${trace.traceId}-${"0".repeat(16)}-01` } },
    expected: {
      http: { status: 200, body: echoed("http.request") },
      webSocket: { status: 101, body: echoed("ws.message") },
      grpc: { status: 0, body: echoed("grpc.request") },
    },
  },
  {
    name: "body with a whole number that would be changed: 400, told which",
    request: { body: '{"orders":[{"id":9007199254740993}],"note":"4111111111111111"}' },
    expected: {
      http: {
        status: 400,
        body: {
          error: `request body holds ${changedNumber}`,
        },
      },
      webSocket: { status: 101, body: { error: `message holds ${changedNumber}` } },
      grpc: bodiesAreProtobuf,
    },
  },
  {
    name: "body with long numbers that stay what they are, and fractions: taken",
    request: { body: '{"a":9007199254740992,"b":0.1234567890123456789,"c":1e20}' },
    expected: {
      http: {
        status: 200,
        body: { type: "http.request", payload: longNumbers },
      },
      webSocket: { status: 101, body: { type: "ws.message", payload: longNumbers } },
      grpc: bodiesAreProtobuf,
    },
  },
  {
    name: "empty body: an empty payload",
    request: { body: "" },
    expected: {
      http: { status: 200, body: echoed("http.request") },
      webSocket: { status: 101, body: { error: "message is not JSON" } },
      grpc: { status: 3, body: { error: "recipient is missing: name an agent, or a capability" } },
    },
  },
  ...["[1]", "null", "7", '"x"'].map((body): GatewayCase => ({
    name: `JSON that is no object, ${body}: 400`,
    request: { body },
    expected: {
      http: { status: 400, body: { error: "request body must be a JSON object" } },
      webSocket: {
        status: 101,
        body: { type: "ws.message", payload: { data: JSON.parse(body) as unknown } },
      },
      grpc: bodiesAreProtobuf,
    },
  })),
  ...["{", "NaN", "{'a':1}", '{"a":1}x', "\ud800"].map((body): GatewayCase => ({
    name: `bad JSON, ${JSON.stringify(body)}: 400`,
    request: { body },
    expected: {
      http: { status: 400, body: { error: "invalid JSON body" } },
      webSocket: { status: 101, body: { error: "message is not JSON" } },
      grpc: bodiesAreProtobuf,
    },
  })),
  {
    name: "a body that is no UTF-8: 400",
    request: { body: new Uint8Array([0x22, 0xff, 0x22]) },
    expected: {
      http: { status: 400, body: { error: "invalid JSON body" } },
      webSocket: { status: 1007, body: undefined },
      grpc: { status: 3, body: { error: "message was cut short" } },
    },
  },
  {
    name: "a body of 128 levels and one more: 400",
    request: { body: deep },
    expected: {
      http: { status: 400, body: { error: "request body nests deeper than 128 levels" } },
      webSocket: { status: 101, body: { error: "message nests deeper than 128 levels" } },
      grpc: bodiesAreProtobuf,
    },
  },
  {
    name: "a key that stands twice: the last counts",
    request: { body: '{"a":1,"a":2}' },
    expected: {
      http: { status: 200, body: { type: "http.request", payload: { a: 2 } } },
      webSocket: { status: 101, body: { type: "ws.message", payload: { a: 2 } } },
      grpc: bodiesAreProtobuf,
    },
  },
  {
    name: "multipart: fields and files",
    request: {
      headers: { "content-type": "multipart/form-data; boundary=x" },
      body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    },
    expected: {
      http: { status: 200, body: { type: "http.request", payload: { a: "1" } } },
      webSocket: notApplicable("messages have no content type"),
      grpc: bodiesAreProtobuf,
    },
  },
  {
    name: "bad multipart: 400",
    request: { headers: { "content-type": "multipart/form-data; boundary=x" }, body: "x" },
    expected: {
      http: {
        status: 400,
        body: { error: "invalid multipart body: there is no boundary in it" },
      },
      webSocket: notApplicable("messages have no content type"),
      grpc: bodiesAreProtobuf,
    },
  },
  ...["text/plain", "application/json; charset=utf-16"].map((type): GatewayCase => ({
    name: `another content type, ${type}: 415`,
    request: { headers: { "content-type": type }, body: "{}" },
    expected: {
      http: { status: 415, body: { error: media } },
      webSocket: notApplicable("messages have no content type"),
      grpc: notApplicable("a content type that is not gRPC's is no call"),
    },
  })),
  {
    name: "a compressed body: 415",
    request: { headers: { "content-encoding": "gzip" }, body: "{}" },
    expected: {
      http: {
        status: 415,
        body: { error: "content encoding is not supported: send the body as plain JSON" },
      },
      webSocket: notApplicable("messages have no content encoding, and compression is not offered"),
      grpc: notApplicable("grpc-encoding takes its place: see the conformance cases"),
    },
  },
  {
    name: "limit max_body_size: a body of just that size is taken",
    request: { gateway: "bounded", body: JSON.stringify({ a: "x".repeat(992) }) },
    expected: {
      http: { status: 200, body: { type: "http.request", payload: { a: "x".repeat(992) } } },
      webSocket: { status: 101, body: { type: "ws.message", payload: { a: "x".repeat(992) } } },
      grpc: bodiesAreProtobuf,
    },
  },
  {
    name: "limit max_body_size: a longer body is 413",
    request: { gateway: "bounded", payload: { a: "x".repeat(993) } },
    expected: {
      http: { status: 413, body: { error: "request body is longer than 1000 bytes" } },
      webSocket: { status: 1009, body: undefined },
      grpc: { status: 8, body: { error: "message has 1016 bytes, want 1000 or less" } },
    },
  },
  {
    name: "no member name reaches a prototype",
    request: { body: own },
    expected: {
      http: { status: 200, body: { type: "http.request", payload: JSON.parse(own) as unknown } },
      webSocket: { status: 101, body: { type: "ws.message", payload: JSON.parse(own) as unknown } },
      grpc: bodiesAreProtobuf,
    },
  },
  {
    name: "__principal__ of a client is dropped",
    request: { payload: { __principal__: { id: "root" }, a: 1 } },
    expected: {
      http: { status: 200, body: { type: "http.request", payload: { a: 1 } } },
      webSocket: { status: 101, body: { type: "ws.message", payload: { a: 1 } } },
      grpc: { status: 0, body: { type: "grpc.request", payload: { a: 1 } } },
    },
  },
  {
    name: "query < body < path",
    request: { target: "PUT /orders/7?id=8&a=q&b=q", body: '{"id":9,"a":"body"}' },
    expected: {
      http: {
        status: 200,
        body: { type: "http.request", payload: { id: "7", a: "body", b: "q" } },
      },
      webSocket: notApplicable("one path for all messages: see web-socket.test.ts"),
      grpc: noTarget,
    },
  },
  {
    name: "state by the default routes: __op__ cannot be overridden",
    request: { gateway: "default", target: "GET /agents/echo/state?__op__=drop", body: "" },
    expected: {
      http: { status: 200, body: { type: "state", payload: { __op__: "state" } } },
      webSocket: noTarget,
      grpc: noTarget,
    },
  },
  ...(
    [
      ["GET /orders/a%2Fb%0d%0aX:1", { id: "a/b\r\nX:1" }],
      ["GET /orders/%C3%A9", { id: "é" }],
      ["GET /orders/__proto__", { id: "__proto__" }],
    ] as const
  ).map(([target, payload]): GatewayCase => ({
    name: `${target}: one segment, decoded once`,
    request: { target, body: "" },
    expected: {
      http: { status: 200, body: { type: "http.request", payload } },
      webSocket: noTarget,
      grpc: noTarget,
    },
  })),
  ...[
    "/orders/..",
    "/orders/%2e%2e",
    "/orders/%2E.",
    "/./orders/7",
    "/orders/%zz",
    "/orders/%ff",
  ].map((path): GatewayCase => ({
    name: `${path}: 400`,
    request: { target: `GET ${path}`, body: "" },
    expected: {
      http: { status: 400, body: { error: "malformed request path" } },
      webSocket: noPath,
      grpc: noTarget,
    },
  })),
  ...["/ORDERS/7", "//orders/7", "/orders/7.", "/orders/%252e%252e/x", "/orders"].map(
    (path): GatewayCase => ({
      name: `${path}: no route is found by another spelling`,
      request: { target: `DELETE ${path}`, body: "" },
      expected: {
        http:
          path === "/orders/7."
            ? { status: 405, body: { error: "method DELETE is not allowed for /orders/7." } }
            : { status: 404, body: { error: `no route for DELETE ${path}` } },
        webSocket: noPath,
        grpc: noTarget,
      },
    }),
  ),
  {
    name: "a path of 10 000 characters: 404, shown in part",
    request: { target: `GET /${"x".repeat(10_000)}`, body: "" },
    expected: {
      http: { status: 404, body: { error: `no route for GET /${"x".repeat(255)}…` } },
      webSocket: noPath,
      grpc: noTarget,
    },
  },
  {
    name: "HEAD is GET without the body",
    request: { target: "HEAD /orders/7", body: "" },
    expected: {
      http: { status: 200, body: undefined, headers: { "content-length": "44" } },
      webSocket: noTarget,
      grpc: noTarget,
    },
  },
  {
    name: "limit of headers: more than 16 384 bytes are 431",
    request: { headers: { "x-long": "y".repeat(20_000) } },
    expected: {
      http: { status: 431, body: { error: "request headers are too large" } },
      webSocket: { status: 431 },
      grpc: { status: 8 },
    },
  },
  {
    name: "limit of headers: more than 100 are 431",
    request: {
      headers: Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`x-${n}`, "y"])),
    },
    expected: {
      http: { status: 431 },
      webSocket: { status: 431 },
      grpc: notApplicable("metadata is bounded by its size alone"),
    },
  },
  {
    name: "a middleware that denies chooses the answer",
    request: { gateway: "denying" },
    expected: {
      http: { status: 403, body: { error: "members only" } },
      webSocket: { status: 403, body: { error: "members only" } },
      grpc: { status: 7, body: { error: "members only" } },
    },
  },
  ...(["call", "cast", "stream"] as const).map((mode): GatewayCase => ({
    name: `limit request_timeout: a middleware that hangs before a ${mode} is 504`,
    request: { gateway: "hanging", mode },
    expected: {
      http: { status: 504, body: { error: "upstream timeout" } },
      webSocket: { status: 504, body: { error: "upstream timeout" } },
      grpc: {
        status: 4,
        body: mode === "stream" ? [{ error: "upstream timeout" }] : { error: "upstream timeout" },
      },
    },
  })),
  {
    name: "an answer of a middleware without a status is 200",
    request: { gateway: "bare" },
    expected: {
      http: { status: 200, body: { isBare: true } },
      webSocket: { status: 200, body: { isBare: true } },
      grpc: notApplicable("a middleware that answers in place of the agent refuses the call"),
    },
  },
  {
    name: "a middleware that raises: 500, and nothing of it is shown",
    request: { gateway: "throwing" },
    expected: {
      http: { status: 500, body: { error: "internal error" } },
      webSocket: { status: 500, body: { error: "internal error" } },
      grpc: { status: 13, body: { error: "internal error" } },
    },
  },
  {
    name: "the API's description is served where nothing authenticates",
    request: { target: "HEAD /docs/openapi.json", body: "" },
    expected: { http: { status: 200 }, webSocket: noTarget, grpc: noTarget },
  },
  {
    name: "the API's description is off where something authenticates",
    request: { gateway: "key", target: "GET /docs/openapi.json", body: "" },
    expected: {
      http: { status: 404, body: { error: "no route for GET /docs/openapi.json" } },
      webSocket: noTarget,
      grpc: noTarget,
    },
  },
];
