import { X509Certificate } from "node:crypto";
import type { AuthCase, AuthCaseGroup } from "./auth-case.ts";

/** PEM text of certificates whose subject is `/O=Test/CN=client`, and of their authority. */
export interface CaseCertificates {
  readonly ca: string;
  readonly client: string;
  /** The same subject, signed by a foreign authority. */
  readonly foreign: string;
  /** Of a server: not made for clients. */
  readonly server: string;
}

const middleware = ["agentrt.gateway.mtls.require_client_cert"];
const allowed = { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=other,O=Test;CN=client,O=Test" };
const loopback = ["127.0.0.0/8", "::1"];
const dn = "CN=client,O=Test";
const dayMs = 86_400_000;
const missing = { status: 401, body: { error: "client certificate required" } };
const refused = { status: 403, body: { error: "client certificate not authorized" } };
const notConfigured = { status: 500, body: { error: "server auth is not configured" } };
const passed = { status: 200, body: { id: dn, clientCert: { dn } } };

/**
 * All cases of certificates that a proxy forwards (RFC 9440). Requests come from this machine.
 *
 * @param nowMs Wall clock, milliseconds, within the certificates' validity.
 * @param certificates As PEM.
 */
export function forwardedCertCaseGroups(
  nowMs: number,
  certificates: CaseCertificates,
): AuthCaseGroup[] {
  const { ca } = certificates;
  const der = (pem: string): Buffer => new X509Certificate(pem).raw;
  const header = (bytes: Uint8Array): string => `:${Buffer.from(bytes).toString("base64")}:`;
  const client = header(der(certificates.client));
  const row = (name: string, value: string, outcome: Partial<AuthCase>): AuthCase => ({
    name,
    headers: { "client-cert": value },
    status: 0,
    ...outcome,
  });
  const base = { middleware, environment: allowed, nowMs, trustedProxyCidrs: loopback };
  const clientDer = der(certificates.client);
  return [
    {
      ...base,
      name: "require_client_cert behind a trusted proxy",
      cases: [
        row("the allowed certificate", client, passed),
        row("another header changes nothing", client, {
          ...passed,
          headers: {
            "client-cert": client,
            "x-forwarded-for": "203.0.113.7",
            "client-cert-chain": "x",
          },
        }),
        { name: "no certificate", headers: {}, ...missing },
        { name: "another header's name", headers: { client_cert: client }, ...missing },
        { name: "the chain alone", headers: { "client-cert-chain": client }, ...missing },
        row("two headers", `${client}, ${client}`, missing),
        row("no colons", client.slice(1, -1), missing),
        row("one colon", client.slice(1), missing),
        row("parameters", `${client};a=1`, missing),
        row("nothing between the colons", "::", missing),
        row("PEM", encodeURIComponent(certificates.client), missing),
        row("PEM as a byte sequence", header(Buffer.from(certificates.client)), missing),
        row("white space inside", client.replace(/^(.{40})/, "$1 "), missing),
        row("base64url", `:${clientDer.toString("base64url")}-_:`, missing),
        row(
          "a byte behind the certificate",
          header(Buffer.concat([clientDer, Buffer.of(0)])),
          missing,
        ),
        row("a certificate cut short", header(clientDer.subarray(0, -1)), missing),
        row("two certificates", header(Buffer.concat([clientDer, clientDer])), missing),
        row("the name alone", dn, missing),
        row("a certificate of a server", header(der(certificates.server)), missing),
        row("the authority itself", header(der(ca)), refused),
      ],
    },
    {
      ...base,
      name: "require_client_cert behind a trusted proxy, with an authority",
      authorities: [ca],
      cases: [
        row("a certificate of the authority", client, passed),
        row("a certificate of a foreign authority", header(der(certificates.foreign)), missing),
      ],
    },
    {
      ...base,
      name: "require_client_cert where nobody is a trusted proxy",
      trustedProxyCidrs: ["10.0.0.0/8", "127.0.0.0/32", "::2"],
      cases: [
        row("the allowed certificate", client, missing),
        row("a peer that says it is a proxy", client, {
          ...missing,
          headers: {
            "client-cert": client,
            "x-forwarded-for": "10.0.0.1",
            "x-real-ip": "10.0.0.1",
            forwarded: "for=10.0.0.1",
          },
        }),
      ],
    },
    {
      ...base,
      name: "require_client_cert when the certificate has expired",
      nowMs: nowMs + 3 * dayMs,
      cases: [row("the allowed certificate, later", client, missing)],
    },
    {
      ...base,
      name: "require_client_cert before the certificate is valid",
      nowMs: nowMs - dayMs,
      cases: [row("the allowed certificate, earlier", client, missing)],
    },
    ...["CN=client", "CN=client,O=Test,C=DE", "O=Test,CN=client", "CN=Client,O=Test"].map(
      (name): AuthCaseGroup => ({
        ...base,
        name: `require_client_cert with ${name} alone`,
        environment: { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: name },
        cases: [row("a name like it", client, refused)],
      }),
    ),
    {
      ...base,
      name: "require_client_cert without any name",
      environment: { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: " ; " },
      cases: [
        row("the allowed certificate", client, notConfigured),
        { name: "no certificate", headers: {}, ...notConfigured },
      ],
    },
  ];
}
