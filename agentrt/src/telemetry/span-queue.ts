import { type Log, type System, type TimerHandle, RingBuffer } from "../core/index.ts";
import type { SpanExporter } from "./span-exporter.ts";
import type { SpanRecord } from "./span-record.ts";

/** Most spans that wait for one exporter; beyond it the oldest goes. */
export const spanCountMax = 10_000;
const batchLengthDefault = 50;
const delayMs = 1000;
const warnPauseMs = 10_000;

/** A span that becomes a record when the first exporter takes it. */
export interface QueuedSpan {
  readonly record: SpanRecord;
}

/** What became of the spans of one exporter, since the start. */
export interface ExporterCounts {
  readonly exporter: string;
  readonly exported: number;
  /** Because too many waited, or the runtime stopped before they were taken. */
  readonly dropped: number;
  /** In batches that the exporter threw about. */
  readonly failed: number;
}

/** Spans that wait for one exporter: handed over in batches, when there is one or a second has passed. */
export class SpanQueue {
  readonly #system: System;
  readonly #log: Log;
  readonly #exporter: SpanExporter;
  readonly #name: string;
  readonly #batchLength: number;
  readonly #lengthMax: number;
  readonly #waiting = new RingBuffer<QueuedSpan>();
  readonly #given = new AbortController();
  #timer: TimerHandle | undefined;
  #draining: Promise<void> | undefined;
  #droppedCount = 0;
  #exportedCount = 0;
  #failedCount = 0;
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #quietFailures = 0;

  /** @param init.exporter Who gets the spans. */
  constructor(init: {
    readonly system: System;
    readonly log: Log;
    readonly exporter: SpanExporter;
  }) {
    this.#system = init.system;
    this.#log = init.log;
    this.#exporter = init.exporter;
    const { name, constructor, batchLengthMax = batchLengthDefault } = init.exporter;
    const isNamed = typeof constructor === "function" && constructor !== Object;
    this.#name = name ?? (isNamed ? constructor.name : "exporter");
    this.#batchLength = Math.min(Math.max(1, batchLengthMax), spanCountMax);
    // Two batches in work or on their way, where batches are large.
    this.#lengthMax = Math.max(spanCountMax, this.#batchLength * 2);
  }

  /** @returns What became of its spans. */
  counts(): ExporterCounts {
    return {
      exporter: this.#name,
      exported: this.#exportedCount,
      dropped: this.#droppedCount,
      failed: this.#failedCount,
    };
  }

  /** Adds a span; never waits. */
  add(span: QueuedSpan): void {
    if (this.#waiting.length >= this.#lengthMax) {
      this.#waiting.shift();
      if (this.#droppedCount === 0)
        this.#log.warn("spans are dropped: an exporter is too slow", { exporter: this.#name });
      this.#droppedCount += 1;
    }
    this.#waiting.push(span);
    if (this.#draining !== undefined) return;
    if (this.#waiting.length >= this.#batchLength) this.#drain();
    else this.#timer ??= this.#system.setTimer(delayMs, () => this.#drain());
  }

  /**
   * Hands over what waits, and shuts the exporter down.
   *
   * @param timeoutMs Longest wait; the exporter is then told to give up.
   */
  async shutdown(timeoutMs: number): Promise<void> {
    if (this.#waiting.length > 0 && this.#draining === undefined) this.#drain();
    let timer: TimerHandle | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = this.#system.setTimer(timeoutMs, () => resolve(true));
    });
    const done = (async (): Promise<boolean> => {
      while (this.#draining !== undefined) await this.#draining;
      await this.#close();
      return false;
    })();
    const isLate = await Promise.race([done, late]);
    if (timer !== undefined) this.#system.clearTimer(timer);
    const exporter = this.#name;
    if (isLate) {
      const lostCount = this.#waiting.length;
      this.#droppedCount += lostCount;
      this.#waiting.clear();
      this.#given.abort(new Error("the runtime stops"));
      this.#log.warn("an exporter did not end in time", { exporter, timeoutMs, lostCount });
    }
    if (this.#droppedCount > 0)
      this.#log.warn("spans were dropped", { exporter, count: this.#droppedCount });
  }

  #drain(): void {
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#draining = this.#exportAll().finally(() => {
      this.#draining = undefined;
      if (this.#waiting.length > 0) {
        this.#timer ??= this.#system.setTimer(delayMs, () => this.#drain());
      }
    });
  }

  async #exportAll(): Promise<void> {
    for (;;) {
      const batch: SpanRecord[] = [];
      while (batch.length < this.#batchLength) {
        const span = this.#waiting.shift();
        if (span === undefined) break;
        batch.push(span.record);
      }
      if (batch.length === 0) return;
      await this.#export(batch);
    }
  }

  async #export(batch: readonly SpanRecord[]): Promise<void> {
    try {
      const exported = this.#exporter.export(batch, { signal: this.#given.signal });
      if (exported !== undefined) await exported;
      this.#exportedCount += batch.length;
    } catch (error) {
      this.#failedCount += batch.length;
      this.#tellFailure(error, batch.length);
    }
  }

  /** A collector that is away fails batch after batch: the log says so once in ten seconds. */
  #tellFailure(error: unknown, spanCount: number): void {
    const nowMs = this.#system.monotonicMs();
    if (nowMs - this.#warnedAtMs < warnPauseMs) {
      this.#quietFailures += 1;
      return;
    }
    this.#warnedAtMs = nowMs;
    const before = this.#quietFailures === 0 ? {} : { failedBatchesBefore: this.#quietFailures };
    this.#quietFailures = 0;
    const fields = { exporter: this.#name, spanCount, ...before };
    this.#log.error("an exporter failed", { ...fields, error });
  }

  async #close(): Promise<void> {
    try {
      await this.#exporter.shutdown?.();
    } catch (error) {
      this.#log.error("an exporter did not shut down", { exporter: this.#name, error });
    }
  }
}
