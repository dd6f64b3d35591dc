/**
 * The gateway: HTTP on one side, messages on the other.
 *
 * ```
 * socket → listener → InboundRequest → request chain: target → route → body → middleware → handler
 *                                                                                  │ agentRoutes, defaultRoutes
 * socket ← listener ← GatewayResponse ←──────────────────────────── AgentBus.call / cast / stream → EventStreams
 * ```
 *
 * | room | holds |
 * |---|---|
 * | `agent/` | the gateway as a node of a tree: its settings, its start and its stop |
 * | `chain/` | the middle, the same for every listener |
 * | `middleware/`, `auth/`, `rate-limit/` | middleware of this package: who may ask, and how often |
 * | `dispatch/` | from a request to an agent, and back; streamed replies |
 * | `docs/` | the API's description |
 * | `publish/` | agents for agents elsewhere: tools over MCP, agents over A2A |
 * | `publish/` | agents for agents elsewhere: tools over MCP, agents over A2A |
 * | `listening/` | what all listeners share: exchange, draining, sweeping, TLS, budgets |
 * | `http/`, `http3/`, `grpc/`, `websocket/` | listeners; none knows another |
 *
 * A gateway is a node. Its middle is the request chain, a function from an `InboundRequest` to a `GatewayResponse`. The
 * chain must not know which listener a request came from: no `node:http`, no socket, no status line. A route is a
 * method, a path and a function; routes to agents are made by `dispatch/`, routes of the control plane by the `control`
 * folder. Middleware sees the node as `request.gateway`.
 *
 * The folder declares the two ports that it calls, `AgentBus` and `GatewayLog`. It knows nothing of trees, supervisors
 * or topology files. Every error leaves as `{"error": text}`; a failure that is not the client's business leaves as 500
 * `internal error` and is logged. Nothing a client sends reaches a prototype: maps have none, bodies keep own keys.
 */
export {
  agentRoutes,
  defaultRoutes,
  type DispatchOptions,
  route,
  type RouteConfig,
  type RouteOf,
} from "./dispatch/index.ts";
export { gatewayErrors } from "./errors.ts";
export type { gatewayAuthErrors } from "./auth/index.ts";
export { canonicalName, parseName, principalOf } from "./auth/index.ts";
export type { rateLimitErrors } from "./rate-limit/index.ts";
export {
  createRequestChain,
  type RequestChain,
  type RequestChainOptions,
  type Route,
} from "./chain/index.ts";
export { httpLimitDefaults, type HttpLimits } from "./listening/index.ts";
export { createHttpListener } from "./http/index.ts";
export type { HttpListener, HttpListenerOptions } from "./listening/index.ts";
export { GatewayAgent, httpGatewaySpec } from "./agent/index.ts";
export type { HttpGatewayOptions, HttpGatewayPorts, ListeningAddress } from "./agent/index.ts";
export { builtInMiddleware } from "./middleware/index.ts";
export type {
  BuiltInMiddleware,
  Handler,
  Middleware,
  MiddlewareRef,
  MiddlewareSetup,
} from "./chain/index.ts";
export {
  type GrpcOptions,
  type Http3Options,
  hostOfAuthority,
  isLoopbackHost,
} from "../gateway-settings/index.ts";
export type { AgentBus, GatewayLog, GatewayMessage } from "./ports.ts";
export {
  type ClientCert,
  errorResponse,
  type GatewayProcess,
  type GatewayRequest,
  type GatewayResponse,
  type InboundRequest,
  type PathParams,
  type RequestAuth,
  type StringMap,
} from "./request.ts";
export {
  type RequestCount,
  type RequestDurations,
  RequestMetrics,
  type RequestMetricsValue,
} from "./request-metrics.ts";
export { RateLimiter } from "./rate-limit/index.ts";
export type {
  PublishedAgentConfig,
  PublishLimits,
  PublishOptions,
  SuspensionPorts,
} from "./publish/index.ts";
export type { MtlsOptions } from "./auth/index.ts";
export { readTlsMaterial, type TlsFiles } from "./listening/index.ts";
