import type { SpanKind } from "../../core/index.ts";
import type { SpanRecord } from "../span-record.ts";

/** Name of the instrumentation, of all spans. */
export const scopeName = "agentrt";

/** The numbers of the protocol for kinds. */
export const kindNumbers: { readonly [Kind in SpanKind]: number } = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
};

/** The number of the protocol for an error; what went well has none set. */
export const errorStatus = 2;

/**
 * Names a span for collectors: calls of models and tools as OpenTelemetry's conventions for generative AI want it.
 *
 * @param record The span.
 * @returns For example `chat gpt-5.5`, `execute_tool mcp://files/read`; else the span's own name.
 */
export function otlpNameOf({ name, attributes }: SpanRecord): string {
  const operation = attributes["gen_ai.operation.name"];
  if (typeof operation !== "string") return name;
  const of = attributes["gen_ai.request.model"] ?? attributes["gen_ai.tool.name"];
  return typeof of === "string" ? `${operation} ${of}` : operation;
}

/** @returns Nanoseconds since the Unix epoch, of milliseconds with fractions. */
export function nanosecondsOf(timeMs: number): bigint {
  const wholeMs = Math.floor(timeMs);
  return BigInt(wholeMs) * 1_000_000n + BigInt(Math.floor((timeMs - wholeMs) * 1_000_000));
}
