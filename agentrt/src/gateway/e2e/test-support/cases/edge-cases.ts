import { type CaseAnswer, type CaseRequest, type GatewayCase, notApplicable } from "./case.ts";

const origin = "https://app.example.com";
const noGrpc = notApplicable("no browser reads gRPC");
const noPreflight = notApplicable("browsers send no preflight before a handshake");
/** Of every response of the gateway `edged`, refusals and all. */
const security = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "strict-transport-security": "max-age=600",
};
const shared = {
  ...security,
  vary: "origin",
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "x-request-id, retry-after",
};
const foreign = { ...security, vary: "origin", "access-control-allow-origin": undefined };
const request: CaseRequest = {
  gateway: "edged",
  headers: { "x-request-id": "order-7", "x-api-key": "key" },
};
const withId = (headers: object): object => ({ ...headers, "x-request-id": "order-7" });
const refused = { error: "invalid or missing API key" };

/** A request with OPTIONS, as a browser sends it before another one: without any key. */
function preflight(name: string, headers: { [name: string]: string }, http: CaseAnswer) {
  return {
    name,
    request: { gateway: "edged", target: "OPTIONS /orders/7", body: "", headers },
    expected: { http, webSocket: noPreflight, grpc: noGrpc },
  } as const satisfies GatewayCase;
}

const noRoute = notApplicable("a call names its agent, not a route");
const ofRoute = notApplicable("it is a bound of a route of HTTP");

/** What bounds the requests of one route, whatever the gateway's own bounds are. */
export const routeBoundsCases: readonly GatewayCase[] = [
  {
    name: "max_body_size of a route: 413",
    request: { gateway: "bounded", target: "POST /tight", body: '{"a":"12345"}' },
    expected: {
      http: { status: 413, body: { error: "request body is longer than 10 bytes" } },
      webSocket: ofRoute,
      grpc: noRoute,
    },
  },
  {
    name: "request_timeout of a route: 504",
    request: { gateway: "bounded", target: "POST /brief" },
    expected: {
      http: { status: 504, body: { error: "upstream timeout" } },
      webSocket: ofRoute,
      grpc: noRoute,
    },
  },
  {
    name: "rate_limit of a route: 429, over WebSocket an error for the message",
    request: { gateway: "bounded", agent: "counted", target: "POST /counted", count: 2 },
    expected: {
      http: {
        status: 429,
        body: { error: "rate limit exceeded" },
        headers: { "ratelimit-policy": '"POST /counted";q=1;w=3600' },
      },
      webSocket: { status: 101, body: { error: "rate limit exceeded" } },
      grpc: noRoute,
    },
  },
];

/** What responses carry whatever their route: ids, security headers, and what they say to pages of other origins. */
export const edgeCases: readonly GatewayCase[] = [
  {
    name: "request_id: that of a trusted caller is in the response, with the security headers",
    request,
    expected: {
      http: { status: 200, headers: withId(security) as {} },
      webSocket: { status: 101, headers: withId(security) as {} },
      grpc: { status: 0, headers: { "x-request-id": "order-7" } },
    },
  },
  {
    name: "request_id: a refusal has it, too",
    request: { ...request, headers: { "x-request-id": "order-7" } },
    expected: {
      http: { status: 401, headers: withId(security) as {} },
      webSocket: { status: 401, headers: withId(security) as {} },
      grpc: { status: 16, headers: { "x-request-id": "order-7" } },
    },
  },
  {
    name: "no route: 404 with id and security headers",
    request: { ...request, target: "GET /nothing", body: "" },
    expected: {
      http: { status: 404, headers: withId(security) as {} },
      webSocket: notApplicable("a path that is no route is an ordinary HTTP request"),
      grpc: notApplicable("a call names its agent, not a path"),
    },
  },
  {
    name: "cors: a page of the list may read a reply",
    request: { ...request, headers: { ...request.headers, origin } },
    expected: {
      http: { status: 200, headers: shared },
      webSocket: { status: 101 },
      grpc: noGrpc,
    },
  },
  {
    name: "cors: a page of the list may read an error",
    request: { ...request, headers: { origin } },
    expected: {
      http: { status: 401, body: refused, headers: shared },
      webSocket: { status: 401 },
      grpc: noGrpc,
    },
  },
  {
    name: "cors: a page that is not on the list gets no such header",
    request: { ...request, headers: { ...request.headers, origin: `${origin}:444` } },
    expected: {
      http: { status: 200, headers: foreign },
      webSocket: notApplicable("where a key is wanted, the key decides"),
      grpc: noGrpc,
    },
  },
  preflight(
    "cors: a preflight is answered before authentication",
    { origin, "access-control-request-method": "PUT" },
    {
      status: 204,
      body: undefined,
      headers: {
        ...shared,
        "access-control-allow-methods": "GET, PUT",
        "access-control-allow-headers": "x-api-key, content-type",
        "access-control-max-age": "60",
      },
    },
  ),
  preflight(
    "cors: a preflight of a page that is not on the list gets no such header",
    { origin: "https://evil.example", "access-control-request-method": "PUT" },
    {
      status: 204,
      body: undefined,
      headers: { ...foreign, "access-control-allow-methods": undefined },
    },
  ),
  preflight(
    "cors: OPTIONS that is no preflight lists the methods",
    { origin },
    { status: 204, body: undefined, headers: { ...shared, allow: "GET, HEAD, OPTIONS, PUT" } },
  ),
];
