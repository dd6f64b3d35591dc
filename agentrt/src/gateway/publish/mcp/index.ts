/**
 * Published agents as tools of the Model Context Protocol (revision 2025-11-25 and those before it), over Streamable HTTP.
 *
 *     POST /mcp → session → SessionTransport → the SDK's server → AgentTools → the bus
 *
 * The protocol's own SDK speaks it; this room carries messages between it and requests of HTTP, keeps sessions within
 * bounds, and ends calls whose client has gone. The SDK is loaded when a gateway publishes something, and not before. The
 * room must not know sockets, nor how an agent is found.
 */
export { AgentTools } from "./agent-tools.ts";
export { loadSdk } from "./load-sdk.ts";
export { McpSessions } from "./mcp-sessions.ts";
