/**
 * Spans on their way out.
 *
 *     core (Tracer) → SpanTracer (Sampler) → BlockBuilder → SpanBlock → SpanQueue of each exporter (bounded, in batches) → SpanExporter
 *     RuntimeEvent → SpanPipeline                                     → RecentSpans: the latest, for GET /traces/{id}
 *
 * In: what core, gateways, models and tools tell by the `Tracer` port, and the events of the tree. Out: `SpanRecord`
 * values for exporters: the console's, a collector's (`otlp/`), files (`sqlite/`), or a user's own. Nothing here waits for
 * an exporter: a full queue drops its oldest spans, counts them and says so; an exporter that fails is logged and harms
 * neither the others nor the tree. A span that ends is packed: numbers, and texts that a block holds once, without secrets. A
 * record with ids and attributes is made when an exporter takes it; ours of files takes blocks. Without an exporter no
 * span is made at all.
 *
 * This folder must not know the tree, transports or topology text. Time comes only from `System`.
 */
export { OtlpExporter, type OtlpOptions, otlpSettings } from "./otlp/index.ts";
export {
  addUp,
  bySize,
  type HourPoint,
  type NamedSum,
  readSpans,
  SpanReader,
  SqliteExporter,
  type SpanSum,
  type SqliteExporterOptions,
  type SumKind,
  type TimeSpan,
} from "./sqlite/index.ts";
export { telemetryErrors } from "./errors.ts";
export { ConsoleExporter } from "./console-exporter.ts";
export type { SamplingOptions } from "./sampler.ts";
export type { ExporterHost, ExportOptions, SpanExporter } from "./span-exporter.ts";
export type { ExporterCounts } from "./span-queue.ts";
export type { SpanRecord } from "./span-record.ts";
export type {
  FoundSpans,
  TraceList,
  TracePlace,
  TraceQuery,
  TraceSummary,
  UnreadSpans,
} from "./trace-list.ts";
export { agentCountMax, byPlace, isAgentWanted } from "./trace-list.ts";
export { SpanPipeline } from "./span-pipeline.ts";
