import { errorResponse, type GatewayResponse } from "../../gateway/index.ts";
import type { SpanRecord, UnreadSpans } from "../../runtime/index.ts";
import type { ControlRequest } from "../elsewhere/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import type { SpanBody, TraceBody } from "../wire.ts";
import { asJson } from "../bodies.ts";
import { unreadBody } from "../unread-body.ts";

/**
 * Answers `GET /traces/{id}`: the spans of a trace that the runtime still knows, by their start.
 *
 * @param view Of the runtime.
 * @param request With the id.
 * @returns 200; 404 where nothing of it is known, or no spans are made.
 */
export async function traceResponse(
  view: Pick<RuntimeView, "findTrace">,
  request: ControlRequest,
): Promise<GatewayResponse> {
  const traceId = request.pathParams["id"] ?? "";
  const found = await view.findTrace(traceId);
  if (found === undefined)
    return errorResponse(404, "no spans are made: the topology names no exporter");
  const { spans, unread } = found;
  if (spans.length === 0) return errorResponse(404, unknownText(unread));
  const body: TraceBody = {
    trace_id: traceId,
    spans: spans.map(spanBody),
    ...unreadBody(unread),
  };
  return { status: 200, body: asJson(body) };
}

function unknownText(unread: readonly UnreadSpans[]): string {
  const faults = unread.map(({ source, reason }) => `; ${source} cannot be read: ${reason}`);
  return `no span of that trace is known${faults.join("")}`;
}

function spanBody(span: SpanRecord): SpanBody {
  return {
    name: span.name,
    kind: span.kind,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    start_time: span.startMs / 1000,
    end_time: span.endMs / 1000,
    status: span.status,
    error_message: span.errorMessage,
    attributes: span.attributes,
  };
}
