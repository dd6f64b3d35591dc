import type { SpanAttributes, SpanKind } from "../core/index.ts";

/** One finished span. */
export interface SpanRecord {
  readonly name: string;
  /** What it is to the span above it, in the words of OpenTelemetry. */
  readonly kind: SpanKind;
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits. */
  readonly spanId: string;
  /** Null at the root of a trace. */
  readonly parentSpanId: string | null;
  /** Wall-clock milliseconds since the Unix epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly status: "ok" | "error";
  /** What failed; null when nothing did. */
  readonly errorMessage: string | null;
}
