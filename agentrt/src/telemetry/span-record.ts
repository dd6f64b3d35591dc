import type { SpanAttributes } from "../core/index.ts";

/** One finished span. */
export interface SpanRecord {
  readonly name: string;
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
