import { readAddressRanges } from "./address-ranges.ts";

/** Whether clients show a certificate: never asked, asked and free to have none, or not served without. */
export type ClientCertMode = "none" | "optional" | "required";

/** A gateway's settings for clients' certificates. */
export interface ClientCertSettings {
  /** Whether a connection asks for one. */
  readonly clientCertMode: ClientCertMode;
  /** Whose word is taken: the connection's own, or a proxy's header. */
  readonly mtlsSource: "direct" | "proxy_header";
  /** IP ranges of trusted proxies. */
  readonly trustedProxyCidrs: readonly string[];
  /** True when the listener has a certificate, its key, and an authority for clients. */
  readonly hasTlsAndAuthority: boolean;
  /** True when `require_client_cert` is around every route. */
  readonly isRequired: boolean;
}

/** What is wrong with a setting. */
export interface SettingFault {
  readonly key: "client_cert_mode" | "mtls_source" | "trusted_proxy_cidrs";
  readonly reason: string;
}

/**
 * Finds what keeps a gateway from starting.
 *
 * @param settings Of one gateway.
 * @returns The faults, most serious first; none for good settings.
 */
export function clientCertFaults(settings: ClientCertSettings): SettingFault[] {
  const { clientCertMode, mtlsSource, trustedProxyCidrs } = settings;
  const faults: SettingFault[] = readAddressRanges(trustedProxyCidrs).faulty.map((text) => ({
    key: "trusted_proxy_cidrs",
    reason: `"${text}" is not an IP range: wanted one such as 10.0.0.0/8`,
  }));
  if (mtlsSource === "proxy_header") {
    if (clientCertMode !== "none") {
      faults.push({
        key: "client_cert_mode",
        reason: `"${clientCertMode}" does not go with mtls_source "proxy_header": wanted none`,
      });
    }
    if (trustedProxyCidrs.length === 0) {
      faults.push({
        key: "mtls_source",
        reason: '"proxy_header" needs trusted_proxy_cidrs: without them no header is believed',
      });
    }
    if (!settings.isRequired) {
      faults.push({
        key: "mtls_source",
        reason: '"proxy_header" needs the middleware agentrt.gateway.mtls.require_client_cert',
      });
    }
  } else if (clientCertMode !== "none" && !settings.hasTlsAndAuthority) {
    faults.push({
      key: "client_cert_mode",
      reason: `"${clientCertMode}" needs tls_cert, tls_key and tls_ca_cert`,
    });
  }
  return faults;
}

/**
 * Finds what is odd about settings that a gateway starts with.
 *
 * @param settings Of one gateway, without faults.
 */
export function clientCertWarnings(settings: ClientCertSettings): string[] {
  const { clientCertMode, mtlsSource, trustedProxyCidrs, isRequired } = settings;
  const warnings = readAddressRanges(trustedProxyCidrs).endless.map(
    (text) => `trusted_proxy_cidrs holds "${text}": every client is believed as a proxy is`,
  );
  if (clientCertMode !== "none" && !isRequired) {
    warnings.push(
      "client certificates are asked for, and require_client_cert is not in the middleware: every client with one of tls_ca_cert passes",
    );
  }
  if (isRequired && mtlsSource === "direct" && clientCertMode === "none") {
    warnings.push("require_client_cert refuses every request: client_cert_mode is none");
  }
  return warnings;
}
