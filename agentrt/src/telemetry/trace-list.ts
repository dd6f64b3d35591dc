import type { SpanRecord } from "./span-record.ts";

/** A trace's place in a list. */
export interface TracePlace {
  /** When it begins: wall-clock milliseconds since the Unix epoch. */
  readonly startMs: number;
  /** Tells those that begin together apart; empty for the place in front of them. */
  readonly traceId: string;
}

/** Which traces are listed. */
export interface TraceQuery {
  /** At most so many, 1 or more. */
  readonly limit: number;
  /** Only those behind this place, where an earlier list has ended; default from the newest on. */
  readonly before?: TracePlace | undefined;
  /** Only those that have a span of this agent, of a member of this pool, or of a key of this keyed agent; `*` for any. */
  readonly agent?: string | undefined;
  /** Only those in which a span has failed, or none has. */
  readonly status?: SpanRecord["status"] | undefined;
  /** Only those that took so long, milliseconds. Default 0. */
  readonly durationMinMs?: number | undefined;
  /**
   * True for what one of several processes knows: also of traces that begin in another one, by their earliest span here. Nothing
   * but `before` is looked at then, the list is as long as it comes, and `agents` has one that is wanted where there is one.
   */
  readonly withParts?: boolean | undefined;
}

/** A trace in a list. */
export interface TraceSummary {
  readonly traceId: string;
  /** Of the span that it begins with. */
  readonly name: string;
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly startMs: number;
  readonly endMs: number;
  /** `error` where one of its spans has failed. */
  readonly status: SpanRecord["status"];
  readonly spanCount: number;
  /** Agents that have spans in it, at most 20. */
  readonly agents: readonly string[];
  /** True where it begins in another process, and what is said is of the spans in this one; absent otherwise. */
  readonly isPart?: true;
}

/** Spans that could not be read. */
export interface UnreadSpans {
  /** The file, or the exporter that keeps them. */
  readonly source: string;
  readonly reason: string;
}

/** Traces, the newest first. */
export interface TraceList {
  readonly traces: readonly TraceSummary[];
  /** Where the next list goes on; null where nothing older is known. */
  readonly next: TracePlace | null;
  readonly unread: readonly UnreadSpans[];
  /** Tells the store of the spans from others, which processes of one machine may share; absent for the memory of this process. */
  readonly source?: string;
}

/** The spans of one trace. */
export interface FoundSpans {
  /** By their start. */
  readonly spans: readonly SpanRecord[];
  readonly unread: readonly UnreadSpans[];
}

/** What a list takes from a span. */
export type BriefSpan = Pick<
  SpanRecord,
  "traceId" | "parentSpanId" | "name" | "kind" | "startMs" | "endMs" | "status"
> & {
  /** Null for a span of no agent. */
  readonly agent: string | null;
};

interface Gathered {
  /** Of the span that it begins with; undefined until that has come. */
  begin: BriefSpan | undefined;
  earliest: BriefSpan;
  endMs: number;
  isError: boolean;
  spanCount: number;
  hasAgent: boolean;
  readonly agents: Set<string>;
}

/** Agents of a trace that are named. */
export const agentCountMax = 20;

/** @returns Whether spans of an agent are wanted by {@link TraceQuery.agent}. */
export function isAgentWanted(agent: string, wanted: string): boolean {
  return wanted === "*" || agent === wanted || agent.startsWith(`${wanted}/`);
}

/**
 * Makes a list of traces from spans that come with the newest start first. A trace is listed by its root, or by the request that
 * brought it here: all of its other spans have come before that one.
 */
export class TraceGatherer {
  readonly #query: TraceQuery;
  readonly #traces = new Map<string, Gathered>();
  #oldestMs = Number.POSITIVE_INFINITY;

  /** @param query What is listed. */
  constructor(query: TraceQuery) {
    this.#query = query;
  }

  /** Takes spans that began before those that it has. */
  add(spans: Iterable<BriefSpan>): void {
    for (const span of spans) {
      this.#oldestMs = span.startMs;
      this.#note(span, this.#traceOf(span));
    }
  }

  /** True when it has as many as are wanted. */
  get isFull(): boolean {
    const { limit, before } = this.#query;
    // Spans behind the place where the list begins are looked at for traces that began before it: they fill nothing.
    const isCounted = (trace: TraceSummary): boolean =>
      before === undefined || byPlace(trace, before) > 0;
    return this.#fitting().filter(isCounted).length >= limit;
  }

  /**
   * Makes the list of what has come.
   *
   * @param isAll True where no span is older than those.
   */
  list(isAll: boolean): Pick<TraceList, "traces" | "next"> {
    const fitting = this.#fitting().toSorted(byPlace);
    const { withParts = false, limit } = this.#query;
    const traces = withParts ? fitting : fitting.slice(0, limit);
    const last = traces.at(-1);
    if (fitting.length > traces.length && last !== undefined)
      return { traces, next: { startMs: last.startMs, traceId: last.traceId } };
    const { before } = this.#query;
    const oldestMs = Math.min(this.#oldestMs, before?.startMs ?? Number.POSITIVE_INFINITY);
    return { traces, next: isAll ? null : { startMs: roundedMs(oldestMs), traceId: "" } };
  }

  #traceOf(span: BriefSpan): Gathered {
    const known = this.#traces.get(span.traceId);
    if (known !== undefined) return known;
    const made: Gathered = {
      begin: undefined,
      earliest: span,
      endMs: Number.NEGATIVE_INFINITY,
      isError: false,
      spanCount: 0,
      hasAgent: false,
      agents: new Set(),
    };
    this.#traces.set(span.traceId, made);
    return made;
  }

  #note(span: BriefSpan, trace: Gathered): void {
    const { agent, parentSpanId, kind, endMs, status } = span;
    if (parentSpanId === null || kind === "server") trace.begin = span;
    trace.earliest = span;
    trace.endMs = Math.max(trace.endMs, endMs);
    trace.isError ||= status === "error";
    trace.spanCount += 1;
    if (agent !== null) this.#noteAgent(agent, trace);
  }

  #noteAgent(agent: string, trace: Gathered): void {
    const { agents } = trace;
    const { agent: wanted } = this.#query;
    const isFirst = wanted !== undefined && !trace.hasAgent && isAgentWanted(agent, wanted);
    trace.hasAgent ||= isFirst;
    if (agents.size < agentCountMax) agents.add(agent);
    else if (isFirst && !agents.has(agent)) {
      const [other = ""] = agents;
      agents.delete(other);
      agents.add(agent);
    }
  }

  #fitting(): TraceSummary[] {
    const found: TraceSummary[] = [];
    for (const [traceId, trace] of this.#traces) {
      const { begin, earliest, endMs, isError, spanCount, agents } = trace;
      const { name, startMs: exactMs } = begin ?? earliest;
      const startMs = roundedMs(exactMs);
      if (!this.#fits(trace, { startMs, traceId })) continue;
      const shown = { status: isError ? "error" : "ok", agents: [...agents].sort() } as const;
      const summary = { traceId, name, startMs, endMs, spanCount, ...shown };
      found.push(begin === undefined ? { ...summary, isPart: true } : summary);
    }
    return found;
  }

  #fits({ begin, hasAgent, isError, endMs }: Gathered, place: TracePlace): boolean {
    const { before, agent, status, durationMinMs = 0, withParts = false } = this.#query;
    // Where it begins, and so whether it is listed, another process knows.
    if (begin === undefined) return withParts;
    if (before !== undefined && byPlace(place, before) <= 0) return false;
    if (withParts) return true;
    return (
      (agent === undefined || hasAgent) &&
      (status === undefined || (status === "error") === isError) &&
      endMs - place.startMs >= durationMinMs
    );
  }
}

/** To the microsecond: a place that was written and read is the same one. */
function roundedMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** Orders places: the newest first. */
export function byPlace(one: TracePlace, other: TracePlace): number {
  if (one.startMs !== other.startMs) return other.startMs - one.startMs;
  if (one.traceId === other.traceId) return 0;
  return one.traceId < other.traceId ? 1 : -1;
}
