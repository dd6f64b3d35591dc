import { isLoopbackHost, requireJwtPath } from "../../gateway-settings/index.ts";
import type { NodeFinding } from "../../topology/index.ts";
import type { CertSettings } from "./client-cert-fields.ts";

/** Keys that are there, and the switches without which they do nothing. */
export type UnusedKeys = readonly { readonly key: string; readonly needs: string }[];

/** Those of the keys of a gateway that have no effect. */
export function unusedKeys(given: {
  readonly [key: string]: unknown;
  readonly enable_http3: boolean;
  readonly grpc_enabled: boolean;
}): UnusedKeys {
  const isGiven = (key: string): boolean => given[key] !== undefined && given[key] !== null;
  const http3 = given.enable_http3 ? [] : ["port_quic"];
  const grpc = given.grpc_enabled ? [] : ["grpc_port", "grpc_agents", "grpc_capabilities"];
  return [
    ...http3.filter(isGiven).map((key) => ({ key, needs: "enable_http3" })),
    ...grpc.filter(isGiven).map((key) => ({ key, needs: "grpc_enabled" })),
  ];
}

/**
 * Notes settings that are right by themselves and do nothing, or less than they seem to.
 *
 * @param settings Of a gateway.
 * @param middleware Paths of the middleware around all of its routes.
 */
export function* checkUnused(
  settings: { readonly host: string; readonly certs: CertSettings; readonly unused: UnusedKeys },
  middleware: readonly string[],
): Generator<NodeFinding> {
  const { host, certs, unused } = settings;
  for (const { key, needs } of unused)
    yield { path: [key], isNote: true, message: `this has no effect without ${needs}: true` };
  const isAuthorityUsed = certs.tls !== undefined || certs.mtls.source === "proxy_header";
  if (certs.mtls.authorityPath !== undefined && !isAuthorityUsed) {
    const path = certs.isInAuth.has("tls_ca_cert") ? ["auth", "tls_ca_cert"] : ["tls_ca_cert"];
    const message = "this has no effect without TLS: set tls_cert and tls_key";
    yield { path, isNote: true, message };
  }
  if (certs.tls !== undefined || isLoopbackHost(host) || !middleware.includes(requireJwtPath))
    return;
  yield {
    path: ["host"],
    isNote: true,
    message: `tokens for require_jwt come to ${host} in clear text: set tls_cert and tls_key, or let a proxy on this machine do TLS`,
  };
}
