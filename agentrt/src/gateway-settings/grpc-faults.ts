import type { ClientCertMode } from "./client-cert-faults.ts";

/** gRPC next to a gateway's port. */
export interface GrpcOptions {
  /** TCP port, 0 to 65 535; 0 lets the system choose. Without one the gateway does not start. */
  readonly port: number | undefined;
  /** Whether clients may ask which services there are. Default true. */
  readonly hasReflection?: boolean | undefined;
  /**
   * Names of the agents that calls reach. Default: with `routes` those that routes without their own middleware
   * lead to, and without `routes` all.
   */
  readonly agents?: readonly string[] | undefined;
  /** Capabilities that calls reach. Default as for `agents`; none where only `agents` is given, and the reverse. */
  readonly capabilities?: readonly string[] | undefined;
}

/** What decides whether a gateway may serve gRPC. */
export interface GrpcSettings {
  readonly port: number | undefined;
  /** The gateway's own. */
  readonly httpPort: number;
  readonly hasTls: boolean;
  readonly clientCertMode: ClientCertMode;
  /** True when `require_jwt` guards the gateway. */
  readonly isBearer: boolean;
}

/** A setting that keeps gRPC from starting. */
export interface GrpcFaultFound {
  /** Key of the topology. */
  readonly key: "grpc_enabled" | "grpc_port" | "client_cert_mode";
  readonly reason: string;
}

/** The path of the middleware that verifies tokens. */
export const requireJwtPath = "agentrt.gateway.jwt_auth.require_jwt";

/** What is odd about gRPC next to `mtls_source: proxy_header` without tokens. */
export const forwardedCertWarning = `gRPC refuses every call: the certificates of a proxy do not count for it; set the middleware ${requireJwtPath}`;

/**
 * Finds what is wrong with the settings of gRPC.
 *
 * @param settings Of one gateway.
 * @returns The faults; none when it may start.
 */
export function grpcFaults(settings: GrpcSettings): GrpcFaultFound[] {
  const { port, httpPort, hasTls, clientCertMode, isBearer } = settings;
  const faults: GrpcFaultFound[] = [];
  if (port === undefined) {
    faults.push({ key: "grpc_enabled", reason: "gRPC needs a separate port: set grpc_port" });
  } else if (port !== 0 && port === httpPort) {
    faults.push({ key: "grpc_port", reason: `port ${port} is that of HTTP: gRPC needs its own` });
  }
  if (clientCertMode === "optional") {
    const reason = "gRPC cannot ask for optional certificates: set required or none";
    faults.push({ key: "client_cert_mode", reason });
  }
  if (isBearer && !hasTls) {
    const reason = "gRPC would send tokens in clear text: set tls_cert and tls_key";
    faults.push({ key: "grpc_enabled", reason });
  }
  return faults;
}
