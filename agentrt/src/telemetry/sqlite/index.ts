/**
 * Spans in a folder of SQLite files, one for each window of days, for those who look at them later.
 *
 *     SpanRecord[] → SqliteExporter ─(a thread)→ SpanFiles: one transaction a batch → agentrt_spans_<date>.db
 *                                                readers: SpanReader, any program that opens SQLite files
 *
 * A batch blocks only the thread. A file is in write-ahead mode, so it is read while it is written, and whole after a
 * crash. With the spans it holds their sums by hour, which charts read. Files whose window is long over are deleted.
 * The folder must not know the tree, nor what a terminal shows.
 */
export { readSpans } from "./read-spans.ts";
export {
  addUp,
  bySize,
  type HourPoint,
  type NamedSum,
  SpanReader,
  type SpanSum,
  type SumKind,
  type TimeSpan,
} from "./span-reader.ts";
export { SqliteExporter, type SqliteExporterOptions } from "./sqlite-exporter.ts";
