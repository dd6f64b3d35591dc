import type { System, Tracer } from "../../core/index.ts";
import type { AddressRanges } from "../../gateway-settings/index.ts";
import type { AccessLog, AccessOutcome } from "../access-log/index.ts";
import { forwardedAddress, type ForwardedHeader } from "../forwarded-address.ts";
import type { CountedOutcome } from "../request-metrics.ts";
import type { RequestRecord } from "../request-record.ts";
import { parseTraceparent, type TraceContext } from "../trace-context.ts";
import type { StringMap } from "../request.ts";
import { endRequestSpan, placeOfSpan, startRequestSpan } from "./request-span.ts";
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
  /** Makes a span for each request. Default none. */
  readonly tracer?: Tracer | undefined;
  /** Hears of each request that has ended. Default nobody. */
  readonly onEnd?: (record: RequestRecord, outcome: CountedOutcome) => void;
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
  /** Says that a request names its place in a trace otherwise than in its headers; before anything is done for it. */
  continueTrace(record: RequestRecord, caller: TraceContext): void;
  /** True where an access log hears of ends: elsewhere nobody needs to know how large an answer was. */
  readonly isLogging: boolean;
  /** Takes note of how a request ended; a second end is left out. */
  close(record: RequestRecord, outcome: AccessOutcome): void;
}

/**
 * Makes the edge of a gateway.
 *
 * @param options Its settings.
 */
export function createEdge(options: EdgeOptions): Edge {
  const { system, trustedProxies, forwardedHeader, requestId = {} } = options;
  const { responseHeaders = [], accessLog, corsHeadersFor, tracer, onEnd } = options;
  const { trust = "proxies" } = requestId;
  const header = (requestId.header ?? requestIdHeaderDefault).toLowerCase();
  const isTrusted = (peerIp: string): boolean =>
    trust === "all" || (trust === "proxies" && trustedProxies?.has(peerIp) === true);
  // Without a log nobody asks for the trace before the agent's message has made its own.
  const newTrace = (): TraceContext | undefined =>
    accessLog === undefined ? undefined : { traceId: system.nextTraceId() };
  const spanOf = (caller: TraceContext | undefined): Pick<RequestRecord, "span" | "trace"> => {
    if (tracer === undefined) return { span: undefined, trace: caller ?? newTrace() };
    const span = startRequestSpan(tracer, caller);
    return { span, trace: placeOfSpan(span, system) };
  };
  return {
    isLogging: accessLog !== undefined,
    open: ({ protocol, method, target, headers, clientIp: peerIp }) => ({
      ...spanOf(parseTraceparent(headers["traceparent"])),
      protocol,
      id: requestIdOf(headers[header], isTrusted(peerIp), system),
      method,
      target,
      headers,
      clientIp: forwardedAddress(peerIp, headers, { trustedProxies, header: forwardedHeader }),
      peerIp,
      begunAtMs: system.monotonicMs(),
      route: undefined,
      principal: undefined,
      isClosed: false,
    }),
    continueTrace: (record, caller) => void Object.assign(record, spanOf(caller)),
    headersOf: ({ protocol, headers, id, trace, span }) => {
      // No browser reads gRPC.
      const list = protocol === "gRPC" ? [] : responseHeaders.slice();
      if (corsHeadersFor !== undefined && protocol !== "gRPC")
        list.push(...corsHeadersFor(headers));
      list.push(header, id);
      if (span !== undefined) list.push("traceresponse", span.traceparent);
      else if (trace?.parentSpanId !== undefined)
        list.push("traceresponse", `00-${trace.traceId}-${system.nextSpanId()}-00`);
      return list;
    },
    close: (record, outcome) => {
      if (record.isClosed) return;
      record.isClosed = outcome.event !== "open";
      accessLog?.write(record, outcome);
      // A connection that stays open is over for those who count once it is there.
      if (outcome.event === "close") return;
      if (record.span !== undefined) endRequestSpan(record.span, record, outcome);
      if (onEnd === undefined) return;
      const durationMs = system.monotonicMs() - record.begunAtMs;
      onEnd(record, { status: outcome.status, grpcStatus: outcome.grpcStatus, durationMs });
    },
  };
}
