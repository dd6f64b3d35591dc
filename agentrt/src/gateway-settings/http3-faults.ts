/** HTTP/3 next to a gateway's port. */
export interface Http3Options {
  /** UDP port, 0 to 65 535; 0 lets the system choose. Without one the gateway does not start. */
  readonly port: number | undefined;
}

/** A setting that keeps HTTP/3 from starting. */
export interface Http3FaultFound {
  /** Key of the topology. */
  readonly key: "enable_http3";
  readonly reason: string;
}

/**
 * Finds what is missing for HTTP/3.
 *
 * @param settings.port Its own, of UDP.
 * @param settings.hasTls Whether the gateway has certificate and key.
 * @returns The faults; none when it may start.
 */
export function http3Faults({
  port,
  hasTls,
}: {
  readonly port: number | undefined;
  readonly hasTls: boolean;
}): Http3FaultFound[] {
  const faults: Http3FaultFound[] = [];
  const key = "enable_http3";
  if (!hasTls) {
    faults.push({ key, reason: "HTTP/3 is always encrypted: set tls_cert and tls_key" });
  }
  if (port === undefined) {
    faults.push({ key, reason: "HTTP/3 needs a UDP port: set port_quic" });
  }
  return faults;
}
