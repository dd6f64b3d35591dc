import { type CaseRequest, type GatewayCase, notApplicable } from "./case.ts";

const noGrpc = notApplicable(
  "no page can send gRPC: it needs trailers, and a preflight before them",
);
const noFetch = notApplicable("browsers send Origin with every handshake");
const error = "origin is not allowed on a loopback port: list it in allowed_origins";
const echoed = { type: "http.request", payload: {} };

/** Of which pages a gateway on a loopback address takes requests. */
export const originCases: readonly GatewayCase[] = [
  ...["http://evil.example", "https://localhost.evil.example", "null", "x"].map(
    (origin): GatewayCase => ({
      name: `a page of another site, ${origin}: 403`,
      request: { headers: { origin } },
      expected: {
        http: { status: 403, body: { error } },
        webSocket: { status: 403 },
        grpc: noGrpc,
      },
    }),
  ),
  {
    name: "a cast of a page of another site, without a body: 403, and the agent is not asked",
    request: {
      gateway: "default",
      target: "POST /agents/echo/cast",
      body: "",
      headers: { origin: "http://evil.example" },
    },
    expected: {
      http: { status: 403, body: { error } },
      webSocket: notApplicable("it has no casts"),
      grpc: noGrpc,
    },
  },
  ...["http://localhost:3000", "http://127.0.0.1:5173", "https://[::1]:8443"].map(
    (origin): GatewayCase => ({
      name: `a page of this machine, ${origin}: it may ask`,
      request: { headers: { origin } },
      expected: {
        http: { status: 200, body: echoed },
        webSocket: { status: 101 },
        grpc: noGrpc,
      },
    }),
  ),
  {
    name: "allowed_origins: a page of the list may ask",
    request: { gateway: "listed", headers: { origin: "https://app.example.com" } },
    expected: {
      http: { status: 200, body: echoed },
      webSocket: { status: 101 },
      grpc: noGrpc,
    },
  },
  {
    name: "allowed_origins: a page that is not on the list may not",
    request: { gateway: "listed", headers: { origin: "https://app.example.com:444" } },
    expected: {
      http: { status: 403, body: { error } },
      webSocket: { status: 403 },
      grpc: noGrpc,
    },
  },
  {
    name: "a page of another site where a key is wanted: the key decides",
    request: { gateway: "key", headers: { origin: "http://evil.example", "x-api-key": "key" } },
    expected: {
      http: { status: 200, body: echoed },
      webSocket: { status: 101 },
      grpc: noGrpc,
    },
  },
  ...fetched("no-cors", "image", 403),
  ...fetched("navigate", "iframe", 403),
  ...fetched("navigate", "document", 200),
];

/** What browsers send without `Origin`: pictures, frames, links. */
function fetched(mode: string, destination: string, status: 200 | 403): GatewayCase[] {
  const request: CaseRequest = {
    target: "GET /orders/7",
    body: "",
    headers: {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": mode,
      "sec-fetch-dest": destination,
    },
  };
  return [
    {
      name: `GET of another site's page, ${mode} ${destination}: ${status}`,
      request,
      expected: {
        http: status === 403 ? { status, body: { error } } : { status },
        webSocket: noFetch,
        grpc: noGrpc,
      },
    },
  ];
}
