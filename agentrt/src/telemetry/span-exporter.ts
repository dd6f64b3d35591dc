import type { Log, System } from "../core/index.ts";
import type { SpanRecord } from "./span-record.ts";

/** What an exporter may use. */
export interface ExporterHost {
  readonly log: Log;
  readonly system: System;
}

/** What comes with a batch. */
export interface ExportOptions {
  /** Aborted when the runtime stops and waits no longer: an exporter that tries again gives up. */
  readonly signal: AbortSignal;
}

/**
 * Where spans go: a class of your own, named in `plugins.exporters` or given to `Runtime`.
 *
 * @example
 * export class CountingExporter implements SpanExporter {
 *   export(records: readonly SpanRecord[]) {
 *     console.log(`${records.length} spans`);
 *   }
 * }
 */
export interface SpanExporter {
  /** What it is called in logs and metrics; default the name of its class. */
  readonly name?: string | undefined;
  /** Most spans of a batch, 1 to 10 000; default 50. */
  readonly batchLengthMax?: number | undefined;
  /** Runs when the runtime starts; throwing refuses the start. */
  open?(host: ExporterHost): void | PromiseLike<void>;
  /**
   * Takes a batch of spans. The next batch comes when this one is done; what it throws is logged, and its spans are not
   * given again.
   */
  export(records: readonly SpanRecord[], options: ExportOptions): void | PromiseLike<void>;
  /** Runs when the runtime has stopped, after the last batch. */
  shutdown?(): void | PromiseLike<void>;
  /** @returns The spans of a trace that it has, oldest first, where it keeps them: at most `limit`. */
  spansOf?(
    traceId: string,
    limit: number,
  ): readonly SpanRecord[] | PromiseLike<readonly SpanRecord[]>;
}
