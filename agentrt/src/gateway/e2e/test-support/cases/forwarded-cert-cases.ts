import { X509Certificate } from "node:crypto";
import { type CaseServer, type GatewayCase, notApplicable } from "./case.ts";

const ofHttp = notApplicable("a proxy's header is of HTTP: it is not read from metadata");
const refusesAll = notApplicable(
  "the certificates of a proxy do not count for WebSocket: all are refused",
);

/** Certificates in a proxy's header (RFC 9440): they count only from a trusted proxy, and only in that header. */
export function forwardedCertCases(certificates: CaseServer["certificates"]): GatewayCase[] {
  const der = (name: keyof typeof certificates): Buffer =>
    new X509Certificate(certificates[name].cert).raw;
  const inHeader = (bytes: Uint8Array): string => `:${Buffer.from(bytes).toString("base64")}:`;
  const own = inHeader(der("own"));
  const none = { status: 401, body: { error: "client certificate required" } };
  const refused: readonly (readonly [what: string, value: string | readonly string[]])[] = [
    ["without colons", own.slice(1, -1)],
    ["as PEM", certificates.own.cert.toString().replaceAll("\n", " ").trim()],
    ["with white space in it", `${own.slice(0, 40)} ${own.slice(40)}`],
    ["with bytes behind it", inHeader(Buffer.concat([der("own"), Buffer.from([0])]))],
    ["cut short", inHeader(der("own").subarray(0, -1))],
    ["twice", [own, own]],
    ["empty", "::"],
    ["in base64url", own.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") + "-"],
  ];
  const accepted = { status: 200, body: { type: "http.request", payload: {} } };
  const row = (
    name: string,
    request: GatewayCase["request"],
    http: GatewayCase["expected"]["http"],
  ): GatewayCase => ({ name, request, expected: { http, webSocket: refusesAll, grpc: ofHttp } });
  return [
    row(
      "proxy_header: the certificate of a trusted proxy's header counts",
      { gateway: "proxied", headers: { "client-cert": own } },
      accepted,
    ),
    row(
      "proxy_header: of a name that is not listed, 403",
      { gateway: "proxied", headers: { "client-cert": inHeader(der("unlisted")) } },
      { status: 403, body: { error: "client certificate not authorized" } },
    ),
    row(
      "proxy_header: from a peer that is no trusted proxy it is ignored, 401",
      { gateway: "distrusting", headers: { "client-cert": own } },
      none,
    ),
    row(
      "proxy_header: X-Forwarded-For makes no peer a trusted one",
      { gateway: "distrusting", headers: { "client-cert": own, "x-forwarded-for": "10.0.0.1" } },
      none,
    ),
    row(
      "proxy_header: Client_Cert is another name",
      { gateway: "proxied", headers: { client_cert: own } },
      none,
    ),
    row(
      "proxy_header: Client-Cert-Chain is not read",
      { gateway: "proxied", headers: { "client-cert-chain": own } },
      none,
    ),
    row(
      "direct: the header is not read",
      { gateway: "optional", headers: { "client-cert": own } },
      none,
    ),
    ...refused.map(([what, value]) =>
      row(
        `proxy_header: a header ${what} is no certificate, 401`,
        { gateway: "proxied", headers: { "client-cert": value } },
        none,
      ),
    ),
  ];
}
