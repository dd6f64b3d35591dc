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
  endMs: number;
  isError: boolean;
  spanCount: number;
  hasAgent: boolean;
  readonly agents: Set<string>;
}

const agentCountMax = 20;

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
      this.#note(span, this.#traceOf(span.traceId));
    }
  }

  /** True when it has as many as are wanted. */
  get isFull(): boolean {
    return this.#fitting().length >= this.#query.limit;
  }

  /**
   * Makes the list of what has come.
   *
   * @param isAll True where no span is older than those.
   */
  list(isAll: boolean): Pick<TraceList, "traces" | "next"> {
    const fitting = this.#fitting().toSorted(byPlace);
    const traces = fitting.slice(0, this.#query.limit);
    const last = traces.at(-1);
    if (fitting.length > traces.length && last !== undefined)
      return { traces, next: { startMs: last.startMs, traceId: last.traceId } };
    const { before } = this.#query;
    const oldestMs = Math.min(this.#oldestMs, before?.startMs ?? Number.POSITIVE_INFINITY);
    return { traces, next: isAll ? null : { startMs: roundedMs(oldestMs), traceId: "" } };
  }

  #traceOf(traceId: string): Gathered {
    const known = this.#traces.get(traceId);
    if (known !== undefined) return known;
    const made: Gathered = {
      begin: undefined,
      endMs: Number.NEGATIVE_INFINITY,
      isError: false,
      spanCount: 0,
      hasAgent: false,
      agents: new Set(),
    };
    this.#traces.set(traceId, made);
    return made;
  }

  #note(span: BriefSpan, trace: Gathered): void {
    const { agent, parentSpanId, kind, endMs, status } = span;
    if (parentSpanId === null || kind === "server") trace.begin = span;
    trace.endMs = Math.max(trace.endMs, endMs);
    trace.isError ||= status === "error";
    trace.spanCount += 1;
    if (agent === null) return;
    const { agent: wanted } = this.#query;
    trace.hasAgent ||= wanted === "*" || agent === wanted || agent.startsWith(`${wanted}/`);
    if (trace.agents.size < agentCountMax) trace.agents.add(agent);
  }

  #fitting(): TraceSummary[] {
    const { before, agent, status, durationMinMs = 0 } = this.#query;
    const found: TraceSummary[] = [];
    for (const [traceId, trace] of this.#traces) {
      const { begin, endMs, isError, spanCount, agents } = trace;
      if (begin === undefined || (agent !== undefined && !trace.hasAgent)) continue;
      const { name } = begin;
      const startMs = roundedMs(begin.startMs);
      const isOfStatus = status === undefined || (status === "error") === isError;
      if (!isOfStatus || endMs - startMs < durationMinMs) continue;
      if (before !== undefined && byPlace({ startMs, traceId }, before) <= 0) continue;
      const shown = { status: isError ? "error" : "ok", agents: [...agents].sort() } as const;
      found.push({ traceId, name, startMs, endMs, spanCount, ...shown });
    }
    return found;
  }
}

/** To the microsecond: a place that was written and read is the same one. */
function roundedMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** Orders places: the newest first. */
function byPlace(one: TracePlace, other: TracePlace): number {
  if (one.startMs !== other.startMs) return other.startMs - one.startMs;
  if (one.traceId === other.traceId) return 0;
  return one.traceId < other.traceId ? 1 : -1;
}
