import type { SpanRecord } from "../span-record.ts";

/** A span as the table has it, in the order of its columns. Times are seconds since the Unix epoch. */
export type SpanRow = readonly [
  name: string,
  traceId: string,
  spanId: string,
  parentSpanId: string | null,
  kind: string,
  startTime: number,
  endTime: number,
  status: string,
  errorMessage: string | null,
  agentName: string | null,
  model: string | null,
  tokensIn: number | null,
  tokensOut: number | null,
  costUsd: number | null,
  attributesJson: string,
];

/** The columns of `SpanRow`. */
export const spanColumns = [
  "name",
  "trace_id",
  "span_id",
  "parent_span_id",
  "kind",
  "start_time",
  "end_time",
  "status",
  "error_message",
  "agent_name",
  "llm_model",
  "llm_tokens_in",
  "llm_tokens_out",
  "llm_cost_usd",
  "attributes_json",
] as const;

/** @returns The row of a span. */
export function rowOf(record: SpanRecord): SpanRow {
  const { attributes } = record;
  const text = (name: string): string | null => {
    const value = attributes[name];
    return typeof value === "string" ? value : null;
  };
  const number = (name: string): number | null => {
    const value = attributes[name];
    return typeof value === "number" ? value : null;
  };
  return [
    record.name,
    record.traceId,
    record.spanId,
    record.parentSpanId,
    record.kind,
    record.startMs / 1000,
    record.endMs / 1000,
    record.status,
    record.errorMessage,
    text("agentrt.agent.name") ?? (text("agentrt.sender") || null) ?? text("child"),
    text("agentrt.llm.model"),
    number("agentrt.llm.tokens_in"),
    number("agentrt.llm.tokens_out"),
    number("agentrt.llm.cost_usd"),
    JSON.stringify(attributes),
  ];
}

/** @returns The span of a row, as the database gives it. */
export function recordOfRow(row: { readonly [column: string]: unknown }): SpanRecord {
  const optional = (column: string): string | null =>
    typeof row[column] === "string" ? row[column] : null;
  const text = (column: string): string => optional(column) ?? "";
  return {
    name: text("name"),
    kind: text("kind") as SpanRecord["kind"],
    traceId: text("trace_id"),
    spanId: text("span_id"),
    parentSpanId: optional("parent_span_id"),
    startMs: Number(row["start_time"]) * 1000,
    endMs: Number(row["end_time"]) * 1000,
    attributes: JSON.parse(text("attributes_json")) as SpanRecord["attributes"],
    status: row["status"] === "error" ? "error" : "ok",
    errorMessage: optional("error_message"),
  };
}
