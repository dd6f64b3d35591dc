import { type OpenSpan, OwnTrace, type System, type Tracer } from "../../core/index.ts";
import type { AccessOutcome } from "../access-log/index.ts";
import type { RequestRecord } from "../request-record.ts";
import type { TraceContext } from "../trace-context.ts";

const pathLengthMax = 1024;

/** The names of protocols as OpenTelemetry has them. */
const protocols: { readonly [Protocol in RequestRecord["protocol"]]: readonly [string, string] } = {
  "HTTP/1.0": ["http", "1.0"],
  "HTTP/1.1": ["http", "1.1"],
  "HTTP/2": ["http", "2"],
  "HTTP/3": ["http", "3"],
  WebSocket: ["http", "1.1"],
  gRPC: ["http", "2"],
};

/**
 * Begins the span of a request: what agents do for it is below it.
 *
 * @param tracer Makes spans.
 * @param caller The caller's place in its trace; undefined where a trace begins here.
 * @returns The span.
 */
export function startRequestSpan(tracer: Tracer, caller: TraceContext | undefined): OpenSpan {
  const parent =
    caller === undefined
      ? undefined
      : { trace: caller.traceId, span: caller.parentSpanId, isSampled: caller.isSampled };
  return tracer.startSpan("request", { parent, kind: "server", attributes: {} });
}

/**
 * Says where a span is, as a message takes it.
 *
 * @param span Of the request.
 * @param system Of the runtime.
 */
export function placeOfSpan({ point }: OpenSpan, { ids }: System): TraceContext {
  return new OwnTrace(point, ids);
}

/**
 * Ends the span of a request, with the attributes of OpenTelemetry's conventions for HTTP.
 *
 * @param span Of the request; nothing is done to one that is not recorded.
 * @param record What is known of it.
 * @param outcome How it ended.
 */
export function endRequestSpan(
  span: OpenSpan,
  record: RequestRecord,
  outcome: AccessOutcome,
): void {
  if (span.point.isSampled !== true) return;
  const { method, route, target, clientIp, headers, protocol } = record;
  const [name, version] = protocols[protocol];
  const { status, grpcStatus } = outcome;
  const agent = headers["user-agent"];
  const attributes: { [name: string]: string | number } = {
    "http.request.method": method,
    "http.response.status_code": status,
    "url.path": pathOf(target),
    "client.address": clientIp,
    "network.protocol.name": name,
    "network.protocol.version": version,
  };
  if (route !== undefined) attributes["http.route"] = route;
  if (grpcStatus !== undefined) {
    attributes["rpc.system"] = "grpc";
    attributes["rpc.grpc.status_code"] = grpcStatus;
  }
  if (agent !== undefined) attributes["user_agent.original"] = agent.slice(0, 256);
  span.rename(route === undefined ? method || "request" : `${method} ${route}`);
  span.set(attributes);
  span.end(status >= 500 ? new RequestFailure(status) : undefined);
}

function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return target.slice(0, end === -1 ? pathLengthMax : Math.min(end, pathLengthMax));
}

class RequestFailure extends Error {
  readonly code: string;

  constructor(status: number) {
    super(`answered ${status}`);
    this.code = String(status);
  }
}
