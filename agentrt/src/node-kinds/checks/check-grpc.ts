import {
  forwardedCertWarning,
  grpcFaults,
  type GrpcOptions,
  requireJwtPath,
} from "../../gateway-settings/index.ts";
import type { NodeFinding } from "../../topology/index.ts";
import type { CertSettings } from "./client-cert-fields.ts";

/**
 * Checks the keys of gRPC against those of TLS and of authentication.
 *
 * @param settings Of the node.
 * @param middleware Paths of the middleware around all of its routes.
 */
export function* checkGrpc(
  {
    grpc,
    port: httpPort,
    certs,
  }: {
    readonly grpc: GrpcOptions | undefined;
    readonly port: number;
    readonly certs: CertSettings;
  },
  middleware: readonly string[],
): Generator<NodeFinding> {
  if (grpc === undefined) return;
  const isBearer = middleware.includes(requireJwtPath);
  if (certs.mtls?.source === "proxy_header" && !isBearer)
    yield { path: ["grpc_enabled"], message: forwardedCertWarning, isNote: true };
  const faults = grpcFaults({
    port: grpc.port,
    httpPort,
    hasTls: certs.tls !== undefined,
    clientCertMode: certs.clientCertMode,
    isBearer,
  });
  for (const { key, reason } of faults) {
    yield { path: certs.isInAuth.has(key) ? ["auth", key] : [key], message: reason };
  }
}
