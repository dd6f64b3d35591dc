import type { SpanRecord } from "./span-record.ts";

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
  /**
   * Takes a batch of at most 50 spans. The next batch comes when this one is done; what it throws is logged, and its
   * spans are not given again.
   */
  export(records: readonly SpanRecord[]): void | PromiseLike<void>;
  /** Runs when the runtime has stopped, after the last batch. */
  shutdown?(): void | PromiseLike<void>;
}
