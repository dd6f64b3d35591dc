import type { KeyDescriptions } from "../../topology/index.ts";
import { fields } from "../../topology/index.ts";
import type { CertSettings } from "./client-cert-fields.ts";

const { list, text, textLike } = fields;

/** A host name or an address. */
export const host = () => textLike(/^[^\s/\p{Cc}]+$/u, "a host name or an IP address");

/** What is before every path. */
export const prefix = () =>
  textLike(
    /^(?:|\/[^\s?#]*[^\s?#/])$/,
    "a path that begins with / and does not end with it, or nothing",
  );

/** A list of paths of middleware. */
export const middleware = () => list(text(), "a list of middleware paths");

/** Keys that the gateway and the topology server have in common. */
export const listenerKeys: KeyDescriptions = {
  host: "Address to listen on.",
  port: "Port to listen on; 0 lets the system choose.",
  tls_cert: "File of the server's certificate.",
  tls_key: "File of the server's private key.",
  auth: "Who may ask.",
  "auth.middleware": "Middleware that every request passes, the health check apart.",
  "auth.tls_ca_cert": "File of the authority that signs clients' certificates.",
  "auth.client_cert_mode": "Whether clients show a certificate.",
  "auth.mtls": "Where a client's certificate is found.",
  "auth.mtls.mtls_source": "direct: of the connection. proxy_header: in a header of a proxy.",
  "auth.mtls.trusted_proxy_cidrs": "Ranges of proxies whose word about clients is taken.",
};

/**
 * Where a node listens, for drawings.
 *
 * @param settings Of the node.
 * @returns A URL.
 */
export function addressOf({
  host,
  port,
  certs,
}: {
  readonly host: string;
  readonly port: number;
  readonly certs: CertSettings;
}): string {
  return `${certs.tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
