import { gatewayErrors } from "../errors.ts";
import type { MiddlewareRef } from "../chain/index.ts";
import type { MiddlewareResolver } from "../middleware/index.ts";
import { agentService, type AgentServiceOptions } from "./agent-service.ts";
import { healthService } from "./health-service.ts";
import {
  forwardedCertWarning,
  grpcFaults,
  type GrpcOptions,
  requireJwtPath,
} from "../../gateway-settings/index.ts";
import { grpcLimitDefaults, type GrpcLimits } from "./limits.ts";
import { reflectionService } from "./reflection-service.ts";
import { type GrpcRecipients, servedAgents } from "./served-agents.ts";
import { GrpcServer, type GrpcServerOptions } from "./server.ts";

const requireClientCertPath = "agentrt.gateway.mtls.require_client_cert";

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
  readonly castTimeoutMs: number;
  readonly limits: Partial<GrpcLimits>;
  /** True where a proxy's header names clients over HTTP: it does not count here. */
  readonly isForwarded: boolean;
  /** The gateway's routes over HTTP, and what guards the default ones. */
  readonly recipients: Pick<GrpcRecipients, "routes" | "defaultMiddleware">;
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
  const { node, grpc, httpPort, tls, bus, log, requestTimeoutMs } = setup;
  const served = servedAgents({
    agents: grpc.agents,
    capabilities: grpc.capabilities,
    ...setup.recipients,
    isInfrastructure: (name) => bus.isInfrastructure(name),
  });
  const middleware = [...setup.middleware, ...served.middleware];
  const isBearer = middleware.includes(requireJwtPath);
  const clientCertMode = tls?.clientCertMode ?? "none";
  const hasTls = tls !== undefined;
  const [fault] = grpcFaults({ port: grpc.port, httpPort, hasTls, clientCertMode, isBearer });
  if (fault !== undefined) throw new gatewayErrors.GRPC_INVALID({ node, ...fault });
  if (setup.isForwarded && !isBearer) log.warn(forwardedCertWarning, { node });
  const isCertLeftOut = isBearer && clientCertMode !== "required";
  const refs = isCertLeftOut
    ? middleware.filter((ref) => ref !== requireClientCertPath)
    : middleware;
  const limits = { ...grpcLimitDefaults, ...setup.limits };
  const { durationMsMax } = limits;
  const agent = agentService({
    bus,
    log,
    requestTimeoutMs,
    castTimeoutMs: setup.castTimeoutMs,
    limits,
    served,
  });
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
