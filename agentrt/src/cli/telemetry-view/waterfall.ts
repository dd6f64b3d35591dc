import type { SpanRecord } from "../../telemetry/index.ts";
import { printable } from "../../core/index.ts";
import { padText, type Tones } from "../../terminal/index.ts";
import { agentOf } from "./picture.ts";
import { millisecondsText } from "./texts.ts";

/** A span of a trace, and how deep below its root it is. */
export interface TraceRow {
  readonly span: SpanRecord;
  readonly depth: number;
}

/** Deeper spans are drawn as deep as this. */
const depthSeenMax = 8;

/**
 * Puts the spans of a trace in the order of their tree: each below the one that it is part of. Spans whose parent was not
 * recorded are roots.
 *
 * @param spans By their start.
 */
export function traceRows(spans: readonly SpanRecord[]): TraceRow[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const children = Map.groupBy(spans, ({ parentSpanId }) =>
    parentSpanId !== null && ids.has(parentSpanId) ? parentSpanId : null,
  );
  const rows: TraceRow[] = [];
  const seen = new Set<SpanRecord>();
  const walk = (roots: readonly SpanRecord[]): void => {
    const left = roots.map((span) => ({ span, depth: 0 })).reverse();
    for (let row = left.pop(); row !== undefined; row = left.pop()) {
      if (seen.has(row.span)) continue;
      seen.add(row.span);
      rows.push(row);
      const { depth, span } = row;
      const below = children.get(span.spanId) ?? [];
      left.push(...below.map((child) => ({ span: child, depth: depth + 1 })).reverse());
    }
  };
  walk(children.get(null) ?? []);
  // Spans that are each other's parents hang below nothing.
  walk(spans);
  return rows;
}

/** How a waterfall is drawn. */
export interface WaterfallLooks {
  readonly tones: Tones;
  /** Cells. */
  readonly width: number;
  /** Which row is chosen. */
  readonly selected: number;
}

/** Draws a trace: a line for each span, with a bar where in the trace it was. */
export function waterfallLines(
  rows: readonly TraceRow[],
  { tones, width, selected }: WaterfallLooks,
): string[] {
  const beginMs = rows.reduce((least, { span }) => Math.min(least, span.startMs), Infinity);
  const endMs = rows.reduce((most, { span }) => Math.max(most, span.endMs), -Infinity);
  const durationWidth = 9;
  const nameWidth = Math.max(12, Math.min(48, Math.floor((width - durationWidth) * 0.5)));
  const barWidth = Math.max(1, width - nameWidth - durationWidth - 3);
  const lengthMs = Math.max(endMs - beginMs, 0.001);
  return rows.map(({ span, depth }, index) => {
    const agent = agentOf(span);
    const sign = span.status === "error" ? "✗ " : "";
    const name = `${index === selected ? "›" : " "}${"  ".repeat(Math.min(depth, depthSeenMax))}${sign}${shortName(span.name)}${agent === "" ? "" : ` ${printable(agent)}`}`;
    const from = Math.min(
      barWidth - 1,
      Math.floor(((span.startMs - beginMs) / lengthMs) * barWidth),
    );
    const cells = Math.round(((span.endMs - span.startMs) / lengthMs) * barWidth);
    const length = Math.max(1, Math.min(barWidth - from, cells));
    const bar = `${" ".repeat(from)}${"█".repeat(length)}${" ".repeat(barWidth - from - length)}`;
    const tone = span.status === "error" ? tones.red : tones.cyan;
    const duration = millisecondsText(span.endMs - span.startMs).padStart(durationWidth);
    return `${padText(name, nameWidth)} ${tone(bar)} ${duration}`;
  });
}

/** The names of ours without what all of them begin with. */
export function shortName(name: string): string {
  return printable(name.startsWith("agentrt.") ? name.slice("agentrt.".length) : name);
}

/** Writes all that a span carries. */
export function spanLines({ span }: TraceRow): string[] {
  const { name, spanId, traceId, parentSpanId, startMs, endMs, status, errorMessage } = span;
  const lines = [
    printable(name),
    `start    ${new Date(startMs).toISOString()}`,
    `took     ${millisecondsText(endMs - startMs)}`,
    `status   ${status}`,
  ];
  if (errorMessage !== null) lines.push(`error    ${printable(errorMessage)}`);
  lines.push(`trace    ${printable(traceId)}`, `span     ${printable(spanId)}`);
  if (parentSpanId !== null) lines.push(`parent   ${printable(parentSpanId)}`);
  const attributes = Object.entries(span.attributes).map(
    ([key, value]) => `${printable(key)}  ${printable(JSON.stringify(value) ?? "")}`,
  );
  return attributes.length === 0 ? lines : [...lines, "", ...attributes];
}
