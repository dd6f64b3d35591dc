import type { GatewayResponse } from "../../gateway/index.ts";
import { agentCountMax, byPlace, isAgentWanted, type TraceQuery } from "../../runtime/index.ts";
import { asJson } from "../bodies.ts";
import type { ControlRequest } from "../elsewhere/index.ts";
import { type Place, placeOf, placeText, traceQueryOf } from "./trace-query.ts";
import { joinUnread } from "../unread-body.ts";
import type { TracesBody, TraceSummaryBody, UnreadBody } from "../wire.ts";

/** What one of several processes knows of a trace. */
interface TracePartBody extends TraceSummaryBody {
  /** True where it begins in another process. */
  readonly is_part?: boolean;
}

/** What one of several processes knows of traces: its `traces` are empty, for those who do not know parts. */
export interface TracePartsBody extends TracesBody {
  /** From the newest down to `next`. */
  readonly parts?: readonly TracePartBody[];
  /** Tells where the spans are kept; absent where no other process has the same ones. */
  readonly source?: string;
}

/**
 * Makes one list of what several processes know. Processes that write to the same files know the same spans; of others each has
 * a part of a trace that goes through them. What begins before the end of a list that goes on is left for the next one.
 *
 * @param answers Of each process, with a {@link TracePartsBody}.
 * @param request As each was asked.
 * @param silent Processes that did not answer.
 */
export function joinTraceLists(
  answers: readonly GatewayResponse[],
  request: ControlRequest,
  silent: readonly UnreadBody[],
): GatewayResponse {
  const lists = answers.map(({ body }) => body as unknown as TracePartsBody);
  const asked = traceQueryOf(request);
  // Each has refused one that is not right.
  const query = typeof asked === "string" ? { limit: 1 } : asked;
  const [end] = lists.flatMap(({ next }) => placeOf(next ?? "") ?? []).toSorted(byPlace);
  const known = wholeTraces(lists)
    .filter((trace) => isWanted(trace, query))
    .map((trace) => ({ trace, place: placeOfBody(trace) }))
    .filter(({ place }) => query.before === undefined || byPlace(place, query.before) > 0)
    .filter(({ place }) => end === undefined || byPlace(place, end) <= 0)
    .toSorted((one, other) => byPlace(one.place, other.place));
  const listed = known.slice(0, query.limit);
  const next = known.length > listed.length ? listed.at(-1)?.place : end;
  const body: TracesBody = {
    recorded: lists.some(({ recorded }) => recorded),
    traces: listed.map(({ trace }) => shownBody(trace)),
    next: next === undefined ? null : placeText(next),
    ...joinUnread(answers, silent),
  };
  return { status: 200, body: asJson(body) };
}

/** Puts the parts of each trace together. */
function wholeTraces(lists: readonly TracePartsBody[]): TracePartBody[] {
  const byId = new Map<string, Map<string, TracePartBody>>();
  for (const [index, list] of lists.entries())
    for (const part of list.parts ?? list.traces) {
      const bySource = byId.get(part.trace_id) ?? new Map<string, TracePartBody>();
      byId.set(part.trace_id, bySource);
      const source = list.source ?? String(index);
      const same = bySource.get(source);
      // Spans that both have read are counted once.
      const count = Math.max(same?.span_count ?? 0, part.span_count);
      bySource.set(source, {
        ...(same === undefined ? part : joined(same, part)),
        span_count: count,
      });
    }
  return [...byId.values()].map((bySource) => [...bySource.values()].reduce(joined));
}

function joined(one: TracePartBody, other: TracePartBody): TracePartBody {
  const isFirst =
    one.is_part === other.is_part ? one.start_time <= other.start_time : one.is_part !== true;
  return {
    ...(isFirst ? one : other),
    end_time: Math.max(one.end_time, other.end_time),
    status: one.status === "ok" ? other.status : one.status,
    span_count: one.span_count + other.span_count,
    agents: [...new Set([...one.agents, ...other.agents])].sort(),
  };
}

function isWanted(
  { is_part: isPart, status, agents, start_time: start, end_time: end }: TracePartBody,
  { agent, status: wanted, durationMinMs = 0 }: TraceQuery,
): boolean {
  return (
    isPart !== true &&
    (wanted === undefined || status === wanted) &&
    (end - start) * 1000 >= durationMinMs &&
    (agent === undefined || agents.some((each) => isAgentWanted(each, agent)))
  );
}

function shownBody(trace: TracePartBody): TraceSummaryBody {
  const { trace_id, name, start_time, end_time, status, span_count, agents } = trace;
  const named = agents.slice(0, agentCountMax);
  return { trace_id, name, start_time, end_time, status, span_count, agents: named };
}

/** To the microsecond, as processes write places. */
function placeOfBody({ start_time: start, trace_id: traceId }: TraceSummaryBody): Place {
  return { startMs: Math.round(start * 1e6) / 1000, traceId };
}
