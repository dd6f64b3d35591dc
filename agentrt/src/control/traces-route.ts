import { errorResponse, type GatewayResponse } from "../gateway/index.ts";
import type { TraceQuery, TraceSummary, UnreadSpans } from "../runtime/index.ts";
import { asJson } from "./bodies.ts";
import type { ControlRequest } from "./elsewhere/index.ts";
import type { RuntimeView } from "./runtime-view.ts";
import { wholeNumberOf } from "./whole-number.ts";
import type { TracesBody, TraceSummaryBody, UnreadSpansBody } from "./wire.ts";

/** Traces of a list: by default, and at most. */
const [traceCountDefault, traceCountMax] = [50, 200];
/** Agents of a trace that are named. */
const agentCountMax = 20;

type Place = NonNullable<TraceQuery["before"]>;

/**
 * Answers `GET /traces`: the traces that this process knows, newest first.
 *
 * @param view Of the runtime.
 * @param request With `limit`, `before`, `agent`, `status` and `min_duration`.
 * @returns 200; 400 for a query that is not right.
 */
export async function tracesResponse(
  view: RuntimeView,
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

/** Makes what could not be read a member of a body; nothing where all was. */
export function unreadBody(unread: readonly UnreadSpans[]): {
  readonly unread?: readonly UnreadSpansBody[];
} {
  return unread.length === 0 ? {} : { unread: unread.map((each) => ({ ...each })) };
}

/** @returns What is asked for; a text that says what is wrong with it. */
function traceQueryOf({ queryParams }: ControlRequest): TraceQuery | string {
  const { before, agent, status, min_duration: duration = "0" } = queryParams;
  const limit = wholeNumberOf(queryParams["limit"] ?? String(traceCountDefault));
  if (!(limit >= 1 && limit <= traceCountMax))
    return `limit must be a whole number of 1 to ${traceCountMax}`;
  if (status !== undefined && status !== "ok" && status !== "error")
    return "status must be ok or error";
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(duration))
    return "min_duration must be a number of seconds, such as 0.5";
  const place = placeOf(before);
  if (before !== undefined && place === undefined)
    return "before must be the next of an earlier answer";
  return { limit, before: place, agent, status, durationMinMs: Number(duration) * 1000 };
}

function placeOf(text = ""): Place | undefined {
  const [, startMs, traceId = ""] = /^(\d{1,16}(?:\.\d{1,9})?)-(.{0,128})$/s.exec(text) ?? [];
  return startMs === undefined ? undefined : { startMs: Number(startMs), traceId };
}

function placeText({ startMs, traceId }: Place): string {
  return `${startMs}-${traceId}`;
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
 * Makes one list of those of several processes. Processes that write to the same files know the same traces; of others each has
 * a part of a trace that goes through them. What begins before the end of a list that goes on is left for the next one.
 *
 * @param answers Of each process.
 * @param request As each was asked.
 */
export function joinTraceLists(
  answers: readonly GatewayResponse[],
  request: ControlRequest,
): GatewayResponse {
  const lists = answers.map(({ body }) => body as unknown as TracesBody);
  const query = traceQueryOf(request);
  const limit = typeof query === "string" ? traceCountDefault : query.limit;
  const byId = new Map<string, TraceSummaryBody>();
  for (const trace of lists.flatMap(({ traces }) => traces)) {
    const known = byId.get(trace.trace_id);
    byId.set(trace.trace_id, known === undefined ? trace : joined(known, trace));
  }
  const [end] = lists.flatMap(({ next }) => placeOf(next ?? "") ?? []).toSorted(byPlace);
  const known = [...byId.values()]
    .map((trace) => ({ trace, place: placeOfBody(trace) }))
    .toSorted((one, other) => byPlace(one.place, other.place))
    .filter(({ place }) => end === undefined || byPlace(place, end) <= 0);
  const listed = known.slice(0, limit);
  const next = known.length > listed.length ? listed.at(-1)?.place : end;
  const body: TracesBody = {
    recorded: lists.some(({ recorded }) => recorded),
    traces: listed.map(({ trace }) => trace),
    next: next === undefined ? null : placeText(next),
    ...joinUnread(answers),
  };
  return { status: 200, body: asJson(body) };
}

/** @returns What several processes could not read: a file that they share once. */
export function joinUnread(answers: readonly GatewayResponse[]): ReturnType<typeof unreadBody> {
  const all = answers.flatMap(({ body }) => (body as unknown as TracesBody).unread ?? []);
  return unreadBody([...new Map(all.map((each) => [JSON.stringify(each), each])).values()]);
}

/** To the microsecond, as processes write places. */
function placeOfBody({ start_time: start, trace_id: traceId }: TraceSummaryBody): Place {
  return { startMs: Math.round(start * 1e6) / 1000, traceId };
}

/** Orders places: the newest first. */
function byPlace(one: Place, other: Place): number {
  if (one.startMs !== other.startMs) return other.startMs - one.startMs;
  if (one.traceId === other.traceId) return 0;
  return one.traceId < other.traceId ? 1 : -1;
}

function joined(one: TraceSummaryBody, other: TraceSummaryBody): TraceSummaryBody {
  const begin = one.start_time <= other.start_time ? one : other;
  const agents = [...new Set([...one.agents, ...other.agents])].sort();
  return {
    ...begin,
    end_time: Math.max(one.end_time, other.end_time),
    status: one.status === "ok" ? other.status : one.status,
    span_count: Math.max(one.span_count, other.span_count),
    agents: agents.slice(0, agentCountMax),
  };
}
