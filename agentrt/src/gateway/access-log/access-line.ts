import type { RequestRecord } from "../request-record.ts";

/** `json`: an object a line. `combined`: the format of Apache and nginx. */
export type AccessLogFormat = "json" | "combined";

/** How a request ended, or how far it has come. */
export interface AccessOutcome {
  /** Of HTTP, 499 where the client left before an answer; the close code where `event` is `close`. */
  readonly status: number;
  /** Bytes of the body that was sent; of a WebSocket all that were sent. */
  readonly sizeBytes: number;
  /** Status of a call of gRPC. Default none. */
  readonly grpcStatus?: number;
  /** True for a response that ended before it was whole. Default false. */
  readonly isCut?: boolean;
  /** Of a WebSocket, which has a line for both. Default none. */
  readonly event?: "open" | "close";
}

/** When a line is written. */
export interface LineTime {
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Since the request came. */
  readonly durationMs: number;
}

const pathLengthMax = 1_024;
const agentLengthMax = 256;
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Writes the line of a request as JSON.
 *
 * @param record Of the request.
 * @param outcome How it ended.
 * @param time Of the line.
 * @returns One line, with its end.
 */
export function jsonLine(
  record: RequestRecord,
  outcome: AccessOutcome,
  { nowMs, durationMs }: LineTime,
): string {
  const { clientIp, peerIp, principal, headers, protocol } = record;
  const line = {
    time: new Date(nowMs).toISOString(),
    event: outcome.event,
    protocol,
    client: clientIp,
    peer: peerIp === clientIp ? undefined : peerIp,
    method: record.method,
    path: pathOf(record.target),
    route: record.route,
    status: outcome.status,
    grpc_status: outcome.grpcStatus,
    bytes: outcome.sizeBytes,
    duration_ms: Math.round(durationMs * 1_000) / 1_000,
    cut: outcome.isCut === true ? true : undefined,
    request_id: record.id,
    trace_id: record.trace?.traceId,
    principal,
    user_agent: headers["user-agent"]?.slice(0, agentLengthMax),
  };
  return `${JSON.stringify(line)}\n`;
}

/**
 * Writes the line of a request as Apache and nginx do in their format "combined", in UTC.
 *
 * @param record Of the request.
 * @param outcome How it ended; the end of a WebSocket has the method CLOSE.
 * @param time Of the line.
 * @returns One line, with its end.
 */
export function combinedLine(
  record: RequestRecord,
  outcome: AccessOutcome,
  { nowMs }: LineTime,
): string {
  const { headers, protocol, principal } = record;
  const method = outcome.event === "close" ? "CLOSE" : record.method;
  const request = method === "" ? "-" : `${method} ${pathOf(record.target)} ${protocol}`;
  const referer = headers["referer"]?.split(/[?#]/, 1)[0]?.slice(0, pathLengthMax);
  const quoted = [referer, headers["user-agent"]?.slice(0, agentLengthMax)]
    .map((text) => `"${escaped(text ?? "-")}"`)
    .join(" ");
  const who = principal === undefined ? "-" : escaped(principal).replaceAll(" ", "\\x20");
  return `${record.clientIp || "-"} - ${who} [${dateOf(nowMs)}] "${escaped(request)}" ${outcome.status} ${outcome.sizeBytes} ${quoted}\n`;
}

/** The path without the query, which may hold keys. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
  return path.slice(0, pathLengthMax);
}

/** Nothing that ends a quoted text or a line, or means something to a terminal. */
function escaped(text: string): string {
  return text.replaceAll(
    /[^\x20-\x7e]|["\\]/g,
    (character) => `\\x${(character.charCodeAt(0) & 0xff).toString(16).padStart(2, "0")}`,
  );
}

function dateOf(nowMs: number): string {
  const date = new Date(nowMs);
  const two = (value: number): string => `${value}`.padStart(2, "0");
  const day = `${two(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  return `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
}
