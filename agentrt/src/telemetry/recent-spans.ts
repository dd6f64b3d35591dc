import { RingBuffer } from "../core/index.ts";
import type { QueuedSpan } from "./span-queue.ts";
import type { SpanRecord } from "./span-record.ts";

/** Most finished spans that are kept in memory; beyond it the oldest goes. */
export const recentSpanCountMax = 4096;

/** The latest finished spans, for those who look at a trace while the program runs. */
export class RecentSpans {
  readonly #spans = new RingBuffer<QueuedSpan>();

  /** Keeps a span. */
  add(span: QueuedSpan): void {
    if (this.#spans.length >= recentSpanCountMax) this.#spans.shift();
    this.#spans.push(span);
  }

  /** @returns The spans of a trace that are still there, in the order of their ends. */
  spansOf(traceId: string): SpanRecord[] {
    return this.#spans
      .toArray()
      .map((span) => span.record)
      .filter((record) => record.traceId === traceId);
  }
}
