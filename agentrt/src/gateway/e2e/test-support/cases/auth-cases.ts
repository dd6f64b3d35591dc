import { type CaseAnswer, type CaseExpectation, type GatewayCase, notApplicable } from "./case.ts";
import { caseToken } from "./topology.ts";

type Statuses = readonly [http: number, webSocket: number, grpc: number];

/** A refusal before the agent is asked: a status of HTTP, that of a handshake, a code of gRPC, with one text. */
function denial(
  [http, webSocket, grpc]: Statuses,
  error: string,
  headers: NonNullable<CaseAnswer["headers"]> = {},
): CaseExpectation {
  return {
    http: { status: http, body: { error }, headers },
    webSocket: { status: webSocket, body: { error }, headers },
    grpc: { status: grpc, body: { error } },
  };
}

const passed: CaseExpectation = {
  http: { status: 200, body: { type: "http.request", payload: {} } },
  webSocket: { status: 101, body: { type: "ws.message", payload: {} } },
  grpc: { status: 0, body: { type: "grpc.request", payload: {} } },
};
const unconnected: CaseAnswer = { status: "no connection" };
const noConnection: CaseExpectation = {
  http: unconnected,
  webSocket: unconnected,
  grpc: unconnected,
};
const certificatesDoNotCount = notApplicable(
  "client certificates do not count for WebSocket, which the start warns of",
);
const optionalIsRefused = notApplicable("optional certificates are refused at the start of gRPC");

const noToken = denial([401, 401, 16], "missing bearer token", { "www-authenticate": "Bearer" });
const badToken = denial([401, 401, 16], "invalid token", {
  "www-authenticate": 'Bearer error="invalid_token"',
});
const noCert = denial([401, 401, 16], "client certificate required", {
  "www-authenticate": "ClientCertificate",
});
const nowSeconds = Math.floor(Date.now() / 1000);

/** API keys, tokens and client certificates: who is let through, and the status of those who are not. */
export const authCases: readonly GatewayCase[] = [
  {
    name: "the API key: let through",
    request: { gateway: "key", headers: { "x-api-key": "key" } },
    expected: passed,
  },
  ...[{}, { "x-api-key": "kez" }, { "x-api-key": "" }, { "x-api-key": ["key", "key"] }].map(
    (headers): GatewayCase => ({
      name: `${JSON.stringify(headers)}: 401`,
      request: { gateway: "key", headers },
      expected: denial([401, 401, 16], "invalid or missing API key", {
        "www-authenticate": 'ApiKey header="X-API-Key"',
      }),
    }),
  ),
  {
    name: "no key is configured: 500",
    request: { gateway: "keyless", headers: { "x-api-key": "key" } },
    expected: denial([500, 500, 13], "server auth is not configured"),
  },
  {
    name: "a token: let through",
    request: { gateway: "jwt", token: caseToken() },
    expected: passed,
  },
  { name: "no token: 401", request: { gateway: "jwt" }, expected: noToken },
  {
    name: "another scheme: 401",
    request: { gateway: "jwt", headers: { authorization: "Basic YTpi" } },
    expected: noToken,
  },
  ...(
    [
      ["no token at all", "x.y.z"],
      ["a wrong audience", caseToken({ aud: "others" })],
      ["a wrong issuer", caseToken({ iss: "somebody" })],
      ["an exp that is over by more than the leeway", caseToken({ exp: nowSeconds - 120 })],
      ["no exp", caseToken({ exp: undefined })],
      ["an nbf that is far off", caseToken({ nbf: nowSeconds + 600 })],
      ["a signature that is cut", caseToken().slice(0, -2)],
      ["another signature", `${caseToken().split(".").slice(0, 2).join(".")}.AAAA`],
    ] as const
  ).map(([what, token]): GatewayCase => ({
    name: `a token with ${what}: 401`,
    request: { gateway: "jwt", token },
    expected: badToken,
  })),
  {
    name: "a token of more than 8 192 bytes: 401",
    request: { gateway: "jwt", token: caseToken({ more: "x".repeat(8_192) }) },
    expected: badToken,
  },
  {
    name: "two Authorization headers: 401, whatever stands first",
    request: { gateway: "jwt", headers: { authorization: [`Bearer ${caseToken()}`, "Bearer x"] } },
    expected: {
      ...badToken,
      webSocket: notApplicable("the token is a subprotocol: see the row of two of these"),
    },
  },
  {
    name: "required: a certificate whose name is listed",
    request: { gateway: "required", certificate: "own" },
    expected: passed,
  },
  {
    name: "required: a certificate whose name is not listed is 403",
    request: { gateway: "required", certificate: "unlisted" },
    expected: {
      ...denial([403, 403, 7], "client certificate not authorized"),
      webSocket: certificatesDoNotCount,
    },
  },
  {
    name: "required: a certificate of a foreign authority has no connection",
    request: { gateway: "required", certificate: "foreign" },
    expected: noConnection,
  },
  {
    name: "required: without a certificate there is no connection",
    request: { gateway: "required" },
    expected: noConnection,
  },
  {
    name: "optional: a certificate whose name is listed",
    request: { gateway: "optional", certificate: "own" },
    expected: { ...passed, grpc: optionalIsRefused },
  },
  {
    name: "optional: without a certificate 401",
    request: { gateway: "optional" },
    expected: { ...noCert, webSocket: certificatesDoNotCount, grpc: optionalIsRefused },
  },
  {
    name: "optional: a certificate of a foreign authority has no connection",
    request: { gateway: "optional", certificate: "foreign" },
    expected: { ...noConnection, grpc: optionalIsRefused },
  },
  {
    name: "no name is configured: 500",
    request: { gateway: "nameless", certificate: "own" },
    expected: {
      ...denial([500, 500, 13], "server auth is not configured"),
      webSocket: certificatesDoNotCount,
    },
  },
  {
    name: "proxy_header: without the header 401",
    request: { gateway: "proxied" },
    expected: noCert,
  },
];
