/**
 * The gateway: HTTP on one side, messages on the other.
 *
 * ```
 * socket → listener → InboundRequest → createRequestChain: target → route → body → middleware → handler
 *                                                                                  │ agentRoutes, defaultRoutes
 * socket ← listener ← GatewayResponse ←───────────────────────── AgentBus.call / cast / stream → EventStreams
 * ```
 *
 * `http/` is one port: `listener.ts` accepts, finds out which version of HTTP is spoken (by ALPN, or by the first bytes)
 * and hands the connection to a `ProtocolServer`, `http1-server.ts` or `http2-server.ts`. Each makes an `Exchange` of a
 * request: an `InboundRequest` and the way back, which `write-answer.ts` fills. `http3/` is the same on a UDP port. Limits of the protocol (headers,
 * connections, streams, times, wasted frames) live there. Everything between is the
 * middle, which is the same for every listener and must not know which one a request came from: no `node:http`, no
 * socket, no status line. A route is a method, a path and a function; routes to agents are made by `dispatch.ts`,
 * routes of the control plane by the `control` folder, the API's description by `docs/`. Streamed replies are
 * `EventStream`s: they outlive the connection for a while, so that a client can come back for the rest.
 *
 * The folder calls two ports of its own, `AgentBus` and `GatewayLog`, and knows nothing of trees, supervisors or
 * topology files. Every error leaves as `{"error": text}`; a failure that is not the client's business leaves as 500
 * `internal error` and is logged. Nothing a client sends reaches a prototype: maps have none, bodies keep own keys.
 */
export {
  agentRoutes,
  defaultRoutes,
  type DispatchOptions,
  type RouteConfig,
} from "./dispatch/agent-routes.ts";
export type { GrpcOptions } from "./grpc/index.ts";
export type { Http3Options } from "./http3/index.ts";
export { gatewayErrors } from "./errors.ts";
export {
  createRequestChain,
  type RequestChain,
  type RequestChainOptions,
  type Route,
} from "./chain/request-chain.ts";
export { httpLimitDefaults, type HttpLimits } from "./listening/http-limits.ts";
export {
  createHttpListener,
  type HttpListener,
  type HttpListenerOptions,
} from "./http/listener.ts";
export {
  GatewayAgent,
  type HttpGatewayOptions,
  type HttpGatewayPorts,
  httpGatewaySpec,
  type ListeningAddress,
} from "./agent/gateway-agent.ts";
export { builtInMiddleware } from "./middleware/built-in-middleware.ts";
export type {
  BuiltInMiddleware,
  Handler,
  Middleware,
  MiddlewareRef,
  MiddlewareSetup,
} from "./chain/middleware.ts";
export { isLoopbackHost } from "../gateway-settings/loopback-host.ts";
export type { AgentBus, GatewayLog, GatewayMessage } from "./ports.ts";
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
export type { TlsFiles } from "./listening/tls-material.ts";
