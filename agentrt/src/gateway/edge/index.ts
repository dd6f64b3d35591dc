/**
 * What every request gets when it comes, and every response when it leaves, whatever listener they pass.
 *
 * ```
 * listener ── open(arrival) ──→ RequestRecord: id, client's address, trace … filled by chain and middleware
 * listener ←─ headersOf(record): id, trace, security, CORS
 * listener ── close(record, outcome) ──→ AccessLog: one line
 * ```
 *
 * The room must not know routes, agents or sockets.
 */
export { type Arrival, createEdge, type Edge, type EdgeOptions } from "./edge.ts";
export type { RequestIdOptions } from "./request-id.ts";
export { securityHeaderList } from "./security-headers.ts";
