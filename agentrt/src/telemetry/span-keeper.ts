import type { SpanExporter } from "./span-exporter.ts";
import type { FoundSpans, TraceList, TraceQuery } from "./trace-list.ts";

/** Under this name an exporter of ours reads what it keeps; no class of a user's has it. */
export const keptSpans: unique symbol = Symbol("agentrt.keptSpans");

/** What reads the spans that an exporter keeps. Of what is damaged it says so, and reads the rest. */
export interface SpanShelf {
  /** @returns The spans of a trace, at most `limit`. */
  spansOf(traceId: string, limit: number): Promise<FoundSpans>;
  /** @returns Traces, newest first; it looks at a bounded number of spans, however many there are. */
  traces(query: TraceQuery): Promise<TraceList>;
}

/** An exporter that keeps spans, and reads them again. */
export interface SpanKeeper extends SpanExporter {
  readonly [keptSpans]: SpanShelf;
}

/** @returns Whether an exporter is one. */
export function keepsSpans(exporter: SpanExporter): exporter is SpanKeeper {
  return keptSpans in exporter;
}
