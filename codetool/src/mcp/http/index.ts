/**
 * MCP over HTTP: one endpoint on this machine, `/mcp`, for clients that have its token.
 *
 *   request ─ Host, Origin ─ token ─ session (or a new one) ─▶ the server of that client
 *
 * It must not know what a tool does.
 */
export { type HttpEndpoint, listenHttp, type ListenHttpOptions } from "./listen-http.ts";
