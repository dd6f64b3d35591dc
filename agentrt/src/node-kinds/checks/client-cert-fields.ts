import type { z } from "zod";
import { fields, type NodeFinding } from "../../topology/index.ts";
import { clientCertFaults } from "../../gateway-settings/index.ts";
import type { TlsFiles } from "../../gateway/index.ts";

const { list, mapping, oneOf, text, textLike } = fields;

const certificateMode = () => oneOf(["none", "optional", "required"], "lower");
const certificateSource = () => oneOf(["direct", "proxy_header"], "lower");
const cidrs = () =>
  list(
    textLike(/^[0-9a-fA-F.:]+(?:\/\d{1,3})?$/, "an IP range such as 10.0.0.0/8"),
    "a list of IP ranges",
  );

/** The block `auth` of a gateway or a topology server. */
export const authSchema = mapping({
  middleware: list(text(), "a list of middleware paths").nullish(),
  tls_ca_cert: text().nullish(),
  client_cert_mode: certificateMode().optional(),
  mtls: mapping({
    mtls_source: certificateSource().optional(),
    trusted_proxy_cidrs: cidrs().nullish(),
  }).nullish(),
});

/** The same keys where they are directly in a gateway's settings. */
export const flatCertKeys = {
  tls_ca_cert: text().nullish(),
  client_cert_mode: certificateMode().optional(),
  mtls_source: certificateSource().optional(),
  trusted_proxy_cidrs: cidrs().nullish(),
};

/** What the keys of TLS and of clients' certificates may hold, in either place. */
export interface CertFields {
  readonly tls_cert?: string | null | undefined;
  readonly tls_key?: string | null | undefined;
  readonly tls_ca_cert?: string | null | undefined;
  readonly client_cert_mode?: "none" | "optional" | "required" | undefined;
  readonly mtls_source?: "direct" | "proxy_header" | undefined;
  readonly trusted_proxy_cidrs?: readonly string[] | null | undefined;
  readonly auth?: z.output<typeof authSchema> | null | undefined;
}

/** What the keys come to. */
export interface CertSettings {
  /** The files of a TLS listener; half a pair is found by `checkCerts`. */
  readonly tls: TlsFiles | undefined;
  readonly mtls: {
    readonly source: "direct" | "proxy_header";
    readonly trustedProxyCidrs: readonly string[];
    readonly authorityPath: string | undefined;
  };
  /** What a connection asks of clients, whether or not it is TLS. */
  readonly clientCertMode: "none" | "optional" | "required";
  /** Keys that are in both places. */
  readonly doubledKeys: readonly string[];
  /** Where each key is. */
  readonly isInAuth: ReadonlySet<string>;
}

/**
 * Puts the keys of both places together.
 *
 * @param given As the schema gives them.
 */
export function certSettings(given: CertFields): CertSettings {
  const { auth } = given;
  const nested = {
    tls_ca_cert: auth?.tls_ca_cert,
    client_cert_mode: auth?.client_cert_mode,
    mtls_source: auth?.mtls?.mtls_source,
    trusted_proxy_cidrs: auth?.mtls?.trusted_proxy_cidrs,
  };
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  const isInAuth = new Set(
    Object.entries(nested).flatMap(([key, value]) => (isGiven(value) ? [key] : [])),
  );
  const authorityPath = nested.tls_ca_cert ?? given.tls_ca_cert ?? undefined;
  const clientCertMode = nested.client_cert_mode ?? given.client_cert_mode ?? "none";
  const { tls_cert: tlsCert, tls_key: tlsKey } = given;
  const hasTls = typeof tlsCert === "string" || typeof tlsKey === "string";
  return {
    tls: hasTls
      ? {
          tlsCert: tlsCert ?? "",
          tlsKey: tlsKey ?? "",
          tlsCaCert: authorityPath,
          clientCertMode,
        }
      : undefined,
    mtls: {
      source: nested.mtls_source ?? given.mtls_source ?? "direct",
      trustedProxyCidrs: nested.trusted_proxy_cidrs ?? given.trusted_proxy_cidrs ?? [],
      authorityPath,
    },
    clientCertMode,
    doubledKeys: [...isInAuth].filter((key) => isGiven(given[key as keyof CertFields])),
    isInAuth,
  };
}

const requireClientCert = "agentrt.gateway.mtls.require_client_cert";

/**
 * Checks the keys of TLS and of clients' certificates against each other.
 *
 * @param settings Of the node.
 * @param middleware Paths of the middleware around all of its routes.
 */
export function* checkCerts(
  settings: CertSettings,
  middleware: readonly string[],
): Generator<NodeFinding> {
  const { tls, mtls, clientCertMode, doubledKeys, isInAuth } = settings;
  for (const key of doubledKeys) {
    yield {
      path: pathOf(key, isInAuth),
      message: `${key} is given twice, in auth and next to it: keep one`,
    };
  }
  if (tls !== undefined && (tls.tlsCert === "" || tls.tlsKey === "")) {
    const [found, missing] = tls.tlsCert === "" ? ["tls_key", "tls_cert"] : ["tls_cert", "tls_key"];
    yield { path: [found], message: `${found} needs ${missing} too` };
    return;
  }
  const faults = clientCertFaults({
    clientCertMode,
    mtlsSource: mtls.source,
    trustedProxyCidrs: mtls.trustedProxyCidrs,
    hasTlsAndAuthority: tls?.tlsCaCert !== undefined,
    isRequired: middleware.includes(requireClientCert),
  });
  for (const { key, reason } of faults) {
    yield { path: pathOf(key, isInAuth), message: `${key} ${reason}` };
  }
}

function pathOf(key: string, isInAuth: ReadonlySet<string>): string[] {
  if (!isInAuth.has(key)) return [key];
  return key === "mtls_source" || key === "trusted_proxy_cidrs"
    ? ["auth", "mtls", key]
    : ["auth", key];
}
