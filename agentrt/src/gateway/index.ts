/**
 * The gateway: HTTP on one side, messages on the other.
 *
 * ```
 * socket → listener → InboundRequest → createGateway: target → route → body → middleware → handler
 *                                                                                  │ agentRoutes, defaultRoutes
 * socket ← listener ← GatewayResponse ←────────────────────────────────── GatewayBus.call / cast
 * ```
 *
 * `http/` is the first listener of five. A listener turns its protocol into `InboundRequest` and writes
 * `GatewayResponse` back; limits of the protocol (headers, connections, times) live there. Everything between is the
 * middle, which is the same for every listener and must not know which one a request came from: no `node:http`, no
 * socket, no status line. A route is a method, a path and a function; routes to agents are made by `dispatch.ts`,
 * routes of the control plane by the `control` folder.
 *
 * The folder calls two ports of its own, `GatewayBus` and `GatewayLog`, and knows nothing of trees, supervisors or
 * topology files. Every error leaves as `{"error": text}`; a failure that is not the client's business leaves as 500
 * `internal error` and is logged. Nothing a client sends reaches a prototype: maps have none, bodies keep own keys.
 */
export { agentRoutes, defaultRoutes, type DispatchOptions, type RouteConfig } from "./dispatch.ts";
export { gatewayErrors } from "./errors.ts";
export { createGateway, type Gateway, type GatewayOptions, type GatewayRoute } from "./gateway.ts";
export { httpLimitDefaults, type HttpLimits } from "./http/limits.ts";
export {
  createHttpListener,
  type HttpListener,
  type HttpListenerOptions,
} from "./http/listener.ts";
export {
  HttpGateway,
  type HttpGatewayOptions,
  type HttpGatewayPorts,
  httpGatewaySpec,
  type ListeningAddress,
} from "./http-gateway.ts";
export { builtInMiddleware } from "./built-in-middleware.ts";
export type {
  BuiltInMiddleware,
  Handler,
  Middleware,
  MiddlewareRef,
  MiddlewareSetup,
} from "./middleware.ts";
export { isLoopbackHost } from "./loopback-host.ts";
export type { GatewayBus, GatewayLog, GatewayMessage } from "./ports.ts";
export {
  type ClientCert,
  errorResponse,
  type GatewayProcess,
  type GatewayRequest,
  type GatewayResponse,
  type InboundRequest,
  type RequestAuth,
  type StringMap,
} from "./request.ts";
export { RateLimiter } from "./rate-limit/index.ts";
export { clientCertFaults, type MtlsOptions } from "./auth/index.ts";
export type { TlsFiles } from "./http/tls-material.ts";
