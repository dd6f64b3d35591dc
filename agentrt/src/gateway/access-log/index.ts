/**
 * One line for each request of a gateway, whatever protocol it came by.
 *
 * ```
 * edge.close(record, outcome) → accessLine → AccessLog: at most 4 MiB wait → one write at a time → file, or standard output
 * ```
 *
 * A disk that is slow holds up no request: what does not fit is dropped, counted, and said in the gateway's own log. A line
 * has no query, no header but the agent of the client and, in `combined`, the page it comes from without its query.
 */
export { AccessLog, type AccessLogOptions } from "./access-log.ts";
export type { AccessLogFormat, AccessOutcome } from "./access-line.ts";
