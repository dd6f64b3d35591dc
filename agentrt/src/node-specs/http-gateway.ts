import { controlRoutes } from "../control/index.ts";
import { type AgentSpec, checkNodeName, checkOptions, type OptionNames } from "../core/index.ts";
import { httpGatewaySpec, type HttpGatewayOptions, type MiddlewareRef } from "../gateway/index.ts";
import { placeholder, runtimeNode } from "./runtime-node.ts";
import { attachedServer } from "./topology-server.ts";

/** What `httpGateway` takes. */
export interface HttpGatewayNodeOptions extends Omit<
  HttpGatewayOptions,
  "ownRoutes" | "ownMiddleware" | "ownAuthMiddleware" | "hasDefaultRoutes"
> {
  /** Name of a `topologyServer` with `attachTo`, whose routes this gateway serves before its own. */
  readonly topologyAgent?: string | undefined;
  /** Prefix of the topology server's paths. Default: the server's own `prefix`. */
  readonly topologyPrefix?: string | undefined;
  /** Runs before the topology server's routes, except `/health`, and after `middleware`. Default none. */
  readonly topologyMiddleware?: readonly MiddlewareRef[] | undefined;
}

/**
 * Describes an HTTP gateway in a tree. Without `routes` it serves the default routes of every agent.
 *
 * @param name Unique in the tree.
 * @param options Where to listen and what to serve; default `0.0.0.0:8080`.
 * @returns The node, for `supervisor({ children })`.
 */
export function httpGateway(name: string, options: HttpGatewayNodeOptions = {}): AgentSpec {
  checkNodeName("agent", name);
  checkOptions(`gateway "${name}"`, options, gatewayOptionNames);
  const { topologyAgent, topologyPrefix, topologyMiddleware, ...gateway } = options;
  return runtimeNode(placeholder(name), ({ parts, root }) => {
    if (topologyAgent === undefined) return httpGatewaySpec(name, gateway, parts);
    const server = attachedServer(root, topologyAgent);
    const prefix = topologyPrefix ?? server?.prefix ?? "";
    const boundHost = gateway.host ?? "0.0.0.0";
    const ownRoutes = controlRoutes({
      name: topologyAgent,
      control: parts.control,
      prefix,
      boundHost,
      redact: server?.redact,
      deadLetterPayloadCountMax: server?.deadLetterPayloadCountMax,
      scopes: server?.scopes,
      servedBy: name,
      allowedOrigins: [...(gateway.allowedOrigins ?? []), ...(gateway.cors?.origins ?? [])],
      guards: [
        ...(gateway.authMiddleware ?? []),
        ...(gateway.middleware ?? []),
        ...(topologyMiddleware ?? []),
        ...(server?.middleware ?? []),
      ],
      isTls: gateway.tls !== undefined,
      hasConsole: server?.hasConsole,
    });
    const own = { ownMiddleware: topologyMiddleware, ownAuthMiddleware: server?.middleware };
    return httpGatewaySpec(name, { ...gateway, ...own, ownRoutes }, parts);
  });
}

const gatewayOptionNames: OptionNames<HttpGatewayNodeOptions> = {
  host: true,
  port: true,
  requestTimeoutMs: true,
  castTimeoutMs: true,
  routes: true,
  authMiddleware: true,
  middleware: true,
  bodySizeBytesMax: true,
  docs: true,
  streams: true,
  webSocketRoutes: true,
  allowedOrigins: true,
  webSocketOrigins: true,
  webSocketLimits: true,
  grpc: true,
  http3: true,
  publish: true,
  drainTimeoutMs: true,
  tls: true,
  mtls: true,
  cors: true,
  securityHeaders: true,
  accessLog: true,
  requestId: true,
  forwardedHeader: true,
  limits: true,
  topologyAgent: true,
  topologyPrefix: true,
  topologyMiddleware: true,
};
