import { type Log, type System, type TimerHandle, RingBuffer } from "../core/index.ts";
import type { SpanExporter } from "./span-exporter.ts";
import type { SpanRecord } from "./span-record.ts";

/** Most spans that wait; beyond it the oldest goes. */
export const spanCountMax = 10_000;
const batchLength = 50;
const delayMs = 1000;
const shutdownTimeoutMs = 2000;

/** Spans that wait for the exporters: handed over in batches, when there is one or a second has passed. */
export class SpanQueue {
  readonly #system: System;
  readonly #log: Log;
  readonly #exporters: readonly SpanExporter[];
  readonly #waiting = new RingBuffer<SpanRecord>();
  #timer: TimerHandle | undefined;
  #draining: Promise<void> | undefined;
  #droppedCount = 0;

  constructor(init: {
    readonly system: System;
    readonly log: Log;
    readonly exporters: readonly SpanExporter[];
  }) {
    this.#system = init.system;
    this.#log = init.log;
    this.#exporters = init.exporters;
  }

  /** Spans that were dropped because too many waited. */
  get droppedCount(): number {
    return this.#droppedCount;
  }

  /** Adds a span; never waits. */
  add(record: SpanRecord): void {
    if (this.#waiting.length >= spanCountMax) {
      this.#waiting.shift();
      if (this.#droppedCount === 0) this.#log.warn("spans are dropped: exporters are too slow");
      this.#droppedCount += 1;
    }
    this.#waiting.push(record);
    if (this.#draining !== undefined) return;
    if (this.#waiting.length >= batchLength) this.#drain();
    else this.#timer ??= this.#system.setTimer(delayMs, () => this.#drain());
  }

  /** Hands over what waits, for two seconds at most, and shuts the exporters down. */
  async shutdown(): Promise<void> {
    if (this.#waiting.length > 0 && this.#draining === undefined) this.#drain();
    let timer: TimerHandle | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = this.#system.setTimer(shutdownTimeoutMs, () => resolve(true));
    });
    const done = (async (): Promise<boolean> => {
      while (this.#draining !== undefined) await this.#draining;
      await Promise.all(this.#exporters.map(async (exporter) => await this.#close(exporter)));
      return false;
    })();
    const isLate = await Promise.race([done, late]);
    if (timer !== undefined) this.#system.clearTimer(timer);
    const lostCount = this.#waiting.length;
    if (isLate) this.#log.warn("exporters did not end in time", { shutdownTimeoutMs, lostCount });
    if (this.#droppedCount > 0) this.#log.warn("spans were dropped", { count: this.#droppedCount });
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
      while (batch.length < batchLength) {
        const record = this.#waiting.shift();
        if (record === undefined) break;
        batch.push(record);
      }
      if (batch.length === 0) return;
      await Promise.all(this.#exporters.map((exporter) => this.#export(exporter, batch)));
    }
  }

  async #export(exporter: SpanExporter, batch: readonly SpanRecord[]): Promise<void> {
    try {
      await exporter.export(batch);
    } catch (error) {
      this.#log.error("an exporter failed", { spanCount: batch.length, error });
    }
  }

  async #close(exporter: SpanExporter): Promise<void> {
    try {
      await exporter.shutdown?.();
    } catch (error) {
      this.#log.error("an exporter did not shut down", { error });
    }
  }
}
