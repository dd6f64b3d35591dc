/**
 * Spans on their way out.
 *
 *     core (Tracer) → SpanTracer → SpanQueue (bounded, in batches) → SpanExporter, each by itself
 *     RuntimeEvent → spansOfEvents → SpanTracer
 *
 * In: what core, models and tools tell by the `Tracer` port, and the events of the tree. Out: `SpanRecord` values for
 * exporters: the console's, or a user's own. Nothing here waits for an exporter: a full queue drops its oldest spans,
 * counts them and says so; an exporter that fails is logged and harms neither the others nor the tree. Without an
 * exporter there is no tracer, and no span is made at all.
 *
 * This folder must not know the tree, transports or topology text. Time comes only from `System`.
 */
export { ConsoleExporter } from "./console-exporter.ts";
export type { SpanExporter } from "./span-exporter.ts";
export type { SpanRecord } from "./span-record.ts";
export { SpanPipeline } from "./span-pipeline.ts";
