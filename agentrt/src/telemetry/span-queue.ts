import type { Log, System, TimerHandle } from "../core/index.ts";
import { exportBlocks, takesBlocks } from "./packed-exporter.ts";
import type { SpanBlock } from "./span-block.ts";
import type { SpanExporter } from "./span-exporter.ts";
import { recordsOf, SpanRanges } from "./span-range.ts";

/** Most spans that wait for one exporter; beyond it the oldest goes. */
export const spanCountMax = 10_000;
const batchLengthDefault = 50;
const delayMs = 1000;
const warnPauseMs = 10_000;

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
  readonly #seal: () => void;
  /** Those that are in blocks already. */
  readonly #waiting = new SpanRanges();
  /** Those that are still packed: they are in the next block. */
  #looseCount = 0;
  readonly #given = new AbortController();
  #timer: TimerHandle | undefined;
  #draining: Promise<void> | undefined;
  #droppedCount = 0;
  #exportedCount = 0;
  #failedCount = 0;
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #quietFailures = 0;

  /**
   * @param init.exporter Who gets the spans.
   * @param init.seal Makes a block of the spans that were added since the last, and gives it to `addBlock`.
   */
  constructor(init: {
    readonly system: System;
    readonly log: Log;
    readonly exporter: SpanExporter;
    readonly seal: () => void;
  }) {
    this.#system = init.system;
    this.#log = init.log;
    this.#exporter = init.exporter;
    this.#seal = init.seal;
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

  /** Says that one more span waits, which will be in the next block. */
  addOne(): void {
    this.#looseCount += 1;
    if (this.#length > this.#lengthMax) this.#drop();
    if (this.#draining !== undefined) return;
    if (this.#length >= this.#batchLength) this.#drain();
    else this.#timer ??= this.#system.setTimer(delayMs, () => this.#drain());
  }

  /** Adds the block of the spans that `addOne` counted since the last. */
  addBlock(block: SpanBlock): void {
    this.#looseCount = 0;
    this.#waiting.add(block);
  }

  /**
   * Hands over what waits, and shuts the exporter down.
   *
   * @param timeoutMs Longest wait; the exporter is then told to give up.
   */
  async shutdown(timeoutMs: number): Promise<void> {
    if (this.#length > 0 && this.#draining === undefined) this.#drain();
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
      const lostCount = this.#length;
      this.#droppedCount += lostCount;
      this.#waiting.clear();
      this.#looseCount = 0;
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
      if (this.#length > 0) {
        this.#timer ??= this.#system.setTimer(delayMs, () => this.#drain());
      }
    });
  }

  async #exportAll(): Promise<void> {
    for (;;) {
      if (this.#waiting.length < this.#batchLength && this.#looseCount > 0) this.#seal();
      const blocks = this.#waiting.take(this.#batchLength);
      if (blocks.length === 0) return;
      await this.#export(blocks);
    }
  }

  async #export(blocks: readonly SpanBlock[]): Promise<void> {
    const count = blocks.reduce((sum, { length }) => sum + length, 0);
    try {
      const exporter = this.#exporter;
      const exported = takesBlocks(exporter)
        ? exporter[exportBlocks](blocks)
        : exporter.export(recordsOf(blocks, this.#system.ids), { signal: this.#given.signal });
      if (exported !== undefined) await exported;
      this.#exportedCount += count;
    } catch (error) {
      this.#failedCount += count;
      this.#tellFailure(error, count);
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

  get #length(): number {
    return this.#waiting.length + this.#looseCount;
  }

  #drop(): void {
    if (this.#waiting.length === 0) this.#seal();
    this.#waiting.drop();
    if (this.#droppedCount === 0)
      this.#log.warn("spans are dropped: an exporter is too slow", { exporter: this.#name });
    this.#droppedCount += 1;
  }
}
