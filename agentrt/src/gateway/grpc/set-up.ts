import { gatewayErrors } from "../errors.ts";
import type { ClientCertMode } from "../http/tls-material.ts";
import type { MiddlewareRef } from "../middleware.ts";
import type { MiddlewareResolver } from "../resolve-middleware.ts";
import { agentService, type AgentServiceOptions } from "./agent-service.ts";
import { healthService } from "./health-service.ts";
import { grpcLimitDefaults, type GrpcLimits } from "./limits.ts";
import { reflectionService } from "./reflection-service.ts";
import { GrpcServer, type GrpcServerOptions } from "./server.ts";

/** gRPC beside a gateway's port. */
export interface GrpcOptions {
  /** TCP port, 0 to 65 535; 0 lets the system choose. Without one the gateway does not start. */
  readonly port: number | undefined;
  /** Whether clients may ask which services there are. Default true. */
  readonly hasReflection?: boolean | undefined;
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

export const requireJwtPath = "agentrt.gateway.jwt_auth.require_jwt";
const requireClientCertPath = "agentrt.gateway.mtls.require_client_cert";

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
    faults.push({ key: "grpc_enabled", reason: "gRPC needs a port of its own: set grpc_port" });
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

/** What gRPC is set up from. */
export interface GrpcSetup extends Omit<
  GrpcServerOptions,
  "methods" | "middleware" | "port" | "limits"
> {
  readonly grpc: GrpcOptions;
  readonly httpPort: number;
  /** The gateway's own. */
  readonly middleware: readonly MiddlewareRef[];
  readonly resolveMiddleware: MiddlewareResolver;
  readonly bus: AgentServiceOptions["bus"];
  readonly limits: Partial<GrpcLimits>;
}

/**
 * Prepares gRPC at the start of a gateway. It inherits the gateway's middleware. Certificates count when the connection
 * must show one; where it need not, `require_client_cert` is left to a token, and refuses every call without.
 *
 * @param setup Of the gateway.
 * @returns The server, not yet listening.
 * @throws AGENTRT_GATEWAY_GRPC_INVALID when the settings contradict each other.
 */
export async function setUpGrpc(setup: GrpcSetup): Promise<GrpcServer> {
  const { node, grpc, httpPort, tls, middleware, bus, log, requestTimeoutMs } = setup;
  const isBearer = middleware.includes(requireJwtPath);
  const clientCertMode = tls?.clientCertMode ?? "none";
  const hasTls = tls !== undefined;
  const [fault] = grpcFaults({ port: grpc.port, httpPort, hasTls, clientCertMode, isBearer });
  if (fault !== undefined) throw new gatewayErrors.GRPC_INVALID({ node, ...fault });
  const isCertLeftOut = isBearer && clientCertMode !== "required";
  const refs = isCertLeftOut
    ? middleware.filter((ref) => ref !== requireClientCertPath)
    : middleware;
  const limits = { ...grpcLimitDefaults, ...setup.limits };
  const { durationMsMax } = limits;
  const agent = agentService({ bus, log, requestTimeoutMs, limits });
  const health = healthService({ services: ["agentrt.Agent"], durationMsMax });
  const reflection = grpc.hasReflection === false ? [] : reflectionService(durationMsMax);
  return new GrpcServer({
    ...setup,
    port: grpc.port ?? 0,
    limits,
    middleware: await setup.resolveMiddleware(refs),
    methods: new Map([...agent, ...health, ...reflection]),
  });
}
