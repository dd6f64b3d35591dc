import type { SpanBody } from "../src/control/wire.ts";

/** A span in its place of a waterfall. */
export interface WaterfallRow {
  readonly span: SpanBody;
  readonly depth: number;
  /** Where its bar begins and how long it is, as shares of the whole. */
  readonly from: number;
  readonly length: number;
}

/** Puts the spans of a trace below those that they belong to, each by its start. */
export function waterfall(spans: readonly SpanBody[]): {
  readonly rows: readonly WaterfallRow[];
  readonly seconds: number;
} {
  const start = spans.reduce((least, span) => Math.min(least, span.start_time), Infinity);
  const end = spans.reduce((most, span) => Math.max(most, span.end_time), -Infinity);
  const seconds = Math.max(0, end - start);
  const known = new Set(spans.map(({ span_id: id }) => id));
  const below = new Map<string, SpanBody[]>();
  for (const span of spans.toSorted((a, b) => a.start_time - b.start_time)) {
    const { parent_span_id: parent } = span;
    const key = parent !== null && known.has(parent) && parent !== span.span_id ? parent : "";
    below.set(key, [...(below.get(key) ?? []), span]);
  }
  const rows: WaterfallRow[] = [];
  const seen = new Set<string>();
  const add = (span: SpanBody, depth: number): void => {
    if (seen.has(span.span_id)) return;
    seen.add(span.span_id);
    const share = (time: number): number => (seconds === 0 ? 0 : (time - start) / seconds);
    const from = share(span.start_time);
    const length = seconds === 0 ? 1 : share(span.end_time) - from;
    rows.push({ span, depth, from, length });
    for (const child of below.get(span.span_id) ?? []) add(child, depth + 1);
  };
  for (const span of below.get("") ?? []) add(span, 0);
  // Those that name each other as parents.
  for (const span of spans) add(span, 0);
  return { rows, seconds };
}
