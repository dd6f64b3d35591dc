/**
 * The gateway as a node of a tree: an agent that starts its listeners when it starts, and drains them when it stops.
 *
 * ```
 * HttpGatewayOptions → GatewayAgent.onStart: routes + middleware → request chain ─┐
 *                                            startListeners ← HTTP, HTTP/3, gRPC, WebSocket
 * ```
 *
 * A listener is added in `listeners.ts`, its settings in `gateway-options.ts`.
 */
export { GatewayAgent, httpGatewaySpec } from "./gateway-agent.ts";
export {
  type HttpGatewayOptions,
  type HttpGatewayPorts,
  type ListeningAddress,
} from "./gateway-options.ts";
