/**
 * WebSocket routes: a connection that stays, to one agent.
 *
 * ```
 * Http1Server ─ upgrade → WebSocketServer: route → handshake → origin → middleware ─ 101 → WebSocketSession
 *                                              │            HTTP 4xx, 5xx                      │ AgentBus.stream
 *                                              ↓                                               ↓
 *                                            client ←──────────── chunk, reply, {"error"} ── agent
 * ```
 *
 * What is wrong with the handshake itself, and what middleware refuses, is answered with HTTP and never upgraded: no
 * subprotocol is echoed, so no token comes back. Programs see the status; pages of a browser see a close with 1006.
 *
 * A session hands every message to the agent at once and writes replies in the order of the messages. Both directions
 * are bounded: with `inWorkCountMax` messages in work it reads no further, with `bufferedSizeBytesMax` bytes waiting it
 * takes no further chunk. Times are looked at by one timer for all sessions.
 *
 * `ws` does the framing (RFC 6455), without compression. The folder makes no decision about identity: that is
 * middleware's, which sees a bearer subprotocol as an `Authorization` header.
 */
export { type WebSocketLimits } from "./limits.ts";
export { setUpWebSockets, upgradeHints, type WebSocketRouteConfig } from "./set-up.ts";
export { type WebSocketServer } from "./web-socket-server.ts";
