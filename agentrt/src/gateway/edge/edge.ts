import type { System } from "../../core/index.ts";
import type { AddressRanges } from "../../gateway-settings/index.ts";
import type { AccessLog, AccessOutcome } from "../access-log/index.ts";
import { forwardedAddress, type ForwardedHeader } from "../forwarded-address.ts";
import type { RequestRecord } from "../request-record.ts";
import { parseTraceparent, type TraceContext } from "../trace-context.ts";
import type { StringMap } from "../request.ts";
import { type RequestIdOptions, requestIdHeaderDefault, requestIdOf } from "./request-id.ts";

/** What an edge is made with. */
export interface EdgeOptions {
  readonly system: System;
  readonly requestId?: RequestIdOptions | undefined;
  /** Proxies whose word about clients counts. Default nobody's. */
  readonly trustedProxies?: AddressRanges | undefined;
  /** The header by which they name the client. Default `x-forwarded-for`. */
  readonly forwardedHeader?: ForwardedHeader | undefined;
  /** Names, lower-case, and values in turn that every response over HTTP carries. Default none. */
  readonly responseHeaders?: readonly string[];
  /** What responses carry for pages of other origins. Default nothing. */
  readonly corsHeadersFor?: (headers: StringMap) => readonly string[];
  /** Default none. */
  readonly accessLog?: AccessLog | undefined;
}

/** One request, as far as a listener knows it when it comes. */
export type Arrival = Pick<RequestRecord, "protocol" | "method" | "target" | "headers"> & {
  /** Address of the immediate peer, without port. */
  readonly clientIp: string;
};

/** What every request and every response passes. */
export interface Edge {
  /** Begins the record of a request. */
  open(arrival: Arrival): RequestRecord;
  /**
   * @param record Of the request.
   * @returns Names, lower-case, and values in turn, that its response carries.
   */
  headersOf(record: RequestRecord): string[];
  /** True where an access log hears of ends: elsewhere nobody needs to know how large an answer was. */
  readonly isLogging: boolean;
  /** Logs how a request ended; a second end is left out. */
  close(record: RequestRecord, outcome: AccessOutcome): void;
}

/**
 * Makes the edge of a gateway.
 *
 * @param options Its settings.
 */
export function createEdge(options: EdgeOptions): Edge {
  const { system, trustedProxies, forwardedHeader, requestId = {} } = options;
  const { responseHeaders = [], accessLog, corsHeadersFor } = options;
  const { trust = "proxies" } = requestId;
  const header = (requestId.header ?? requestIdHeaderDefault).toLowerCase();
  const isTrusted = (peerIp: string): boolean =>
    trust === "all" || (trust === "proxies" && trustedProxies?.has(peerIp) === true);
  // Without a log nobody asks for the trace before the agent's message has made its own.
  const newTrace = (): TraceContext | undefined =>
    accessLog === undefined ? undefined : { traceId: system.nextTraceId() };
  return {
    isLogging: accessLog !== undefined,
    open: ({ protocol, method, target, headers, clientIp: peerIp }) => ({
      protocol,
      id: requestIdOf(headers[header], isTrusted(peerIp), system),
      method,
      target,
      headers,
      clientIp: forwardedAddress(peerIp, headers, { trustedProxies, header: forwardedHeader }),
      peerIp,
      begunAtMs: accessLog === undefined ? 0 : system.monotonicMs(),
      trace: parseTraceparent(headers["traceparent"]) ?? newTrace(),
      route: undefined,
      principal: undefined,
      isClosed: false,
    }),
    headersOf: ({ protocol, headers, id, trace }) => {
      // No browser reads gRPC.
      const list = protocol === "gRPC" ? [] : responseHeaders.slice();
      if (corsHeadersFor !== undefined && protocol !== "gRPC")
        list.push(...corsHeadersFor(headers));
      list.push(header, id);
      if (trace?.parentSpanId !== undefined)
        list.push("traceresponse", `00-${trace.traceId}-${system.nextSpanId()}-00`);
      return list;
    },
    close: (record, outcome) => {
      if (record.isClosed) return;
      record.isClosed = outcome.event !== "open";
      accessLog?.write(record, outcome);
    },
  };
}
