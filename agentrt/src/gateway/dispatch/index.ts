/**
 * From a request to an agent and back: payload and message type out of the request, call, cast or stream over the
 * `AgentBus`, and the status that says what became of it.
 *
 * Streamed replies are `EventStream`s. They outlive the connection for a while, so that a client can come back for the
 * rest. gRPC and WebSocket use the same rules for types, payloads and failures. The room must not know listeners.
 */
export {
  agentRoutes,
  defaultRoutes,
  type DispatchOptions,
  failureResponse,
  noCapableAgent,
  refuseType,
  streamFailure,
  suspendedHeader,
  unknownAgent,
} from "./agent-routes.ts";
export { payloadResponse } from "./agent-reply.ts";
export { defaultDescriptions } from "./default-descriptions.ts";
export {
  eventStreamHeaders,
  eventStreamLimitDefaults,
  EventStreams,
  type EventStreamLimits,
} from "./event-streams.ts";
export { openChunks } from "./open-chunks.ts";
export { assemblePayload } from "./payload.ts";
export {
  agentFor,
  readRecipient,
  type Recipient,
  type RecipientConfig,
  shownRecipient,
} from "./recipient.ts";
export { route, type RouteConfig, type RouteOf } from "./route-config.ts";
