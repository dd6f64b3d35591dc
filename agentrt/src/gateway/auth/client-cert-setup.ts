import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { System } from "../../core/index.ts";
import type { GatewayLog } from "../ports.ts";
import {
  type AddressRanges,
  readAddressRanges,
  clientCertFaults,
  type ClientCertSettings,
  clientCertWarnings,
} from "../../gateway-settings/index.ts";
import { type ClientCertReader, createClientCertReader } from "./client-cert-reader.ts";
import { gatewayAuthErrors } from "./errors.ts";

/** Where clients' certificates come from. */
export interface MtlsOptions {
  /** `direct`: the TLS connection. `proxy_header`: the header `Client-Cert` of a trusted proxy. Default `direct`. */
  readonly source?: "direct" | "proxy_header" | undefined;
  /** IP ranges of trusted proxies. Default none. */
  readonly trustedProxyCidrs?: readonly string[] | undefined;
  /** With `proxy_header`: PEM file of the authority that must have signed what is forwarded. Default the proxy's word. */
  readonly authorityPath?: string | undefined;
}

/** What a gateway with clients' certificates is set up from. */
export interface ClientCertSetup extends Pick<
  ClientCertSettings,
  "clientCertMode" | "hasTlsAndAuthority" | "isRequired"
> {
  /** Name of the gateway. */
  readonly node: string;
  readonly mtls: MtlsOptions;
  readonly system: System;
  readonly log: GatewayLog;
}

/**
 * Prepares the reading of clients' certificates at the start of a gateway.
 *
 * @param setup Of the gateway.
 * @returns The reader, and the proxies whose word is taken.
 * @throws AGENTRT_GATEWAY_AUTH_CLIENT_CERT_INVALID.
 */
export function setUpClientCerts(setup: ClientCertSetup): {
  readonly read: ClientCertReader;
  readonly trustedProxies: AddressRanges;
} {
  const { node, mtls, system, log } = setup;
  const { source = "direct", trustedProxyCidrs = [], authorityPath } = mtls;
  const settings = { ...setup, mtlsSource: source, trustedProxyCidrs };
  const [fault] = clientCertFaults(settings);
  if (fault !== undefined) throw new gatewayAuthErrors.CLIENT_CERT_INVALID({ node, ...fault });
  for (const warning of clientCertWarnings(settings)) log.warn(warning, { node });
  const trustedProxies = readAddressRanges(trustedProxyCidrs).ranges;
  const isForwarded = source === "proxy_header";
  const authorities =
    isForwarded && authorityPath !== undefined ? readAuthorities(node, authorityPath) : [];
  const read = createClientCertReader({ source, trustedProxies, authorities, system });
  return { read, trustedProxies };
}

function readAuthorities(node: string, path: string): X509Certificate[] {
  try {
    const pem = readFileSync(path, "utf8");
    const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (found.length === 0) throw new Error("it holds no certificate in PEM form");
    return found.map((each) => new X509Certificate(each));
  } catch (cause) {
    const reason = `"${path}": ${cause instanceof Error ? cause.message : String(cause)}`;
    const details = { node, key: "tls_ca_cert", reason };
    throw new gatewayAuthErrors.CLIENT_CERT_INVALID(details, { cause });
  }
}
