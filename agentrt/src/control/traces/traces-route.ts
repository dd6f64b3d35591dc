import { errorResponse, type GatewayResponse } from "../../gateway/index.ts";
import type { TraceQuery, TraceSummary } from "../../runtime/index.ts";
import { asJson } from "../bodies.ts";
import type { ControlRequest } from "../elsewhere/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import type { TracePartsBody } from "./trace-parts.ts";
import { placeText, traceQueryOf } from "./trace-query.ts";
import { unreadBody } from "../unread-body.ts";
import type { TracesBody, TraceSummaryBody } from "../wire.ts";

/** Traces that each process is asked for at most where all are looked through for what is wanted. */
const filteredCount = 1000;

/**
 * Answers `GET /traces`: the traces that this process knows, newest first.
 *
 * @param view Of the runtime.
 * @param request With `limit`, `before`, `agent`, `status` and `min_duration`.
 * @returns 200; 400 for a query that is not right.
 */
export async function tracesResponse(
  view: Pick<RuntimeView, "traces">,
  request: ControlRequest,
): Promise<GatewayResponse> {
  const query = traceQueryOf(request);
  if (typeof query === "string") return errorResponse(400, query);
  const list = await view.traces(query);
  if (list === undefined) return { status: 200, body: { recorded: false, traces: [], next: null } };
  const { traces, next, unread } = list;
  const body: TracesBody = {
    recorded: true,
    traces: traces.map(summaryBody),
    next: next === null ? null : placeText(next),
    ...unreadBody(unread),
  };
  return { status: 200, body: asJson(body) };
}

function summaryBody(trace: TraceSummary): TraceSummaryBody {
  const { traceId, name, startMs, endMs, status, spanCount, agents } = trace;
  return {
    trace_id: traceId,
    name,
    start_time: startMs / 1000,
    end_time: endMs / 1000,
    status,
    span_count: spanCount,
    agents,
  };
}

/**
 * Says what this process knows of the traces that are asked for, and of its parts of others: what is filtered by is known when
 * all parts of a trace are together.
 *
 * @param view Of the runtime.
 * @param request As of {@link tracesResponse}.
 * @returns 200 with a `TracePartsBody`; 400 for a query that is not right.
 */
export async function tracePartsResponse(
  view: RuntimeView,
  request: ControlRequest,
): Promise<GatewayResponse> {
  const query = traceQueryOf(request);
  if (typeof query === "string") return errorResponse(400, query);
  const { limit: wanted, before, agent } = query;
  const limit = isFiltered(query) ? filteredCount : wanted * 2;
  const list = await view.traces({ limit, before, agent, withParts: true });
  const { traces = [], next = null, unread = [], source } = list ?? {};
  const body: TracePartsBody = {
    recorded: list !== undefined,
    traces: [],
    parts: traces.map((trace) => ({ ...summaryBody(trace), is_part: trace.isPart === true })),
    next: next === null ? null : placeText(next),
    ...unreadBody(unread),
    ...(source === undefined ? {} : { source }),
  };
  return { status: 200, body: asJson(body) };
}

function isFiltered({ agent, status, durationMinMs = 0 }: TraceQuery): boolean {
  return agent !== undefined || status !== undefined || durationMinMs > 0;
}
