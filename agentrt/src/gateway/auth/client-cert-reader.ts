import { hash, X509Certificate } from "node:crypto";
import type { System } from "../../core/index.ts";
import type { ClientCert, InboundRequest } from "../request.ts";
import type { AddressRanges } from "../../gateway-settings/index.ts";
import { formatName, subjectOf } from "./distinguished-name.ts";

/** What certificates are read with. */
export interface ClientCertReaderOptions {
  /** `direct`: that of the connection. `proxy_header`: that of the header `Client-Cert`, from a trusted proxy. */
  readonly source: "direct" | "proxy_header";
  /** Peers whose header is believed. */
  readonly trustedProxies: AddressRanges;
  /** Authorities one of which must have signed what a proxy forwards; without any the proxy's word is enough. */
  readonly authorities: readonly X509Certificate[];
  readonly system: System;
}

/** Reads the certificate that belongs to a request; `undefined` for none that counts. */
export type ClientCertReader = (inbound: InboundRequest) => ClientCert | undefined;

interface ReadCertificate {
  readonly cert: ClientCert;
  readonly validFromMs: number;
  readonly validToMs: number;
}

/** RFC 9440 section 2: a byte sequence of RFC 8941, which is base64 between colons. */
const headerPattern = /^:([A-Za-z0-9+/]+={0,2}):$/;
const clientUsages = new Set(["1.3.6.1.5.5.7.3.2", "2.5.29.37.0"]);
const rememberedCountMax = 1000;

/**
 * Makes the function that finds the client's certificate of a request. A certificate is read once, and looked at for
 * its dates every time.
 *
 * @param options Where certificates come from, and who is believed.
 */
export function createClientCertReader(options: ClientCertReaderOptions): ClientCertReader {
  const { source, trustedProxies, authorities, system } = options;
  const remembered = new Map<string, ReadCertificate | undefined>();
  const read = (der: Uint8Array): ReadCertificate | undefined => {
    const digest = hash("sha256", der, "base64");
    if (remembered.has(digest)) return remembered.get(digest);
    const found = readCertificate(der, { authorities, isForwarded: source === "proxy_header" });
    if (remembered.size >= rememberedCountMax) remembered.clear();
    remembered.set(digest, found);
    return found;
  };
  return (inbound) => {
    const der =
      source === "direct" ? inbound.clientCertificate : forwarded(inbound, trustedProxies);
    const found = der === undefined ? undefined : read(der);
    if (found === undefined) return undefined;
    const nowMs = system.nowMs();
    return nowMs >= found.validFromMs && nowMs <= found.validToMs ? found.cert : undefined;
  };
}

/** What a trusted proxy forwards. Of two headers, which a listener joins by a comma, neither counts. */
function forwarded(
  { headers, clientIp }: InboundRequest,
  trustedProxies: AddressRanges,
): Uint8Array | undefined {
  const header = headers["client-cert"];
  if (header === undefined || !trustedProxies.has(clientIp)) return undefined;
  const base64 = headerPattern.exec(header)?.[1];
  if (base64 === undefined) return undefined;
  const der = Buffer.from(base64, "base64");
  return der.toString("base64") === base64 ? der : undefined;
}

function readCertificate(
  der: Uint8Array,
  how: { readonly authorities: readonly X509Certificate[]; readonly isForwarded: boolean },
): ReadCertificate | undefined {
  const name = subjectOf(der);
  const certificate = name === undefined ? undefined : parse(der);
  if (name === undefined || certificate === undefined) return undefined;
  if (how.isForwarded && !isForClients(certificate, how.authorities)) return undefined;
  return {
    cert: { dn: formatName(name), leafPem: certificate.toString() },
    validFromMs: certificate.validFromDate.getTime(),
    validToMs: certificate.validToDate.getTime(),
  };
}

function parse(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined; // Not a certificate: as good as none.
  }
}

/** What the connection would have found out about it, had it been shown there. */
function isForClients(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
): boolean {
  // Node's types and documentation call the extended usages `keyUsage`.
  const usages: readonly string[] | undefined = certificate.keyUsage;
  if (usages !== undefined && !usages.some((usage) => clientUsages.has(usage))) return false;
  if (authorities.length === 0) return true;
  return authorities.some(
    (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
  );
}
