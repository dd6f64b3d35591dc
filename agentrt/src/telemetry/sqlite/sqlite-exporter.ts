import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { reasonOf, type System } from "../../core/index.ts";
import { BlockBuilder } from "../block-builder.ts";
import { telemetryErrors } from "../errors.ts";
import { exportBlocks, type PackedExporter } from "../packed-exporter.ts";
import type { SpanBlock } from "../span-block.ts";
import type { ExporterHost } from "../span-exporter.ts";
import { keptSpans, type SpanKeeper, type SpanShelf } from "../span-keeper.ts";
import type { SpanRecord } from "../span-record.ts";
import type { WriterAnswer, WriterData, WriterRequest } from "./writer-messages.ts";

/** Where spans are kept, and for how long. */
export interface SqliteExporterOptions {
  /** The folder, made where it is not there. Default `./telemetry`. */
  readonly directory?: string | undefined;
  /** Days whose spans are in one file, 1 or more. Default 30. */
  readonly windowDays?: number | undefined;
  /** Files that are kept besides the current one, 0 or more. Default 6. */
  readonly retentionWindowCount?: number | undefined;
}

/** Keeps spans in a folder of SQLite files, which a thread of its own writes. */
export class SqliteExporter implements PackedExporter, SpanKeeper {
  readonly name = "sqlite";
  readonly batchLengthMax = 2000;
  readonly #data: Omit<WriterData, "words">;
  readonly #builder = new BlockBuilder();
  #system: System | undefined;
  #worker: Worker | undefined;
  /** Those who wait for an answer, in the order of their requests. */
  #waiting: PromiseWithResolvers<WriterAnswer>[] = [];

  /** @param options Nothing is opened yet. */
  constructor(options: SqliteExporterOptions = {}) {
    const { directory = "./telemetry", windowDays = 30, retentionWindowCount = 6 } = options;
    this.#data = { directory: resolve(directory), windowDays, retentionWindowCount };
  }

  /**
   * {@inheritDoc SpanExporter.open}
   *
   * @throws AGENTRT_TELEMETRY_STORE_FAILED when the folder cannot be written.
   */
  async open({ system }: ExporterHost): Promise<void> {
    this.#system = system;
    // An empty batch makes the folder and deletes what is old.
    await this.#ask({ type: "write", blocks: [], nowMs: system.nowMs() });
  }

  /**
   * {@inheritDoc SpanExporter.export}
   *
   * @throws AGENTRT_TELEMETRY_STORE_FAILED when the batch could not be written.
   */
  async export(records: readonly SpanRecord[]): Promise<void> {
    for (const record of records) this.#builder.addRecord(record);
    await this[exportBlocks]([this.#builder.build()]);
  }

  /** {@inheritDoc PackedExporter[exportBlocks]} */
  async [exportBlocks](blocks: readonly SpanBlock[]): Promise<void> {
    // One that was never opened deletes nothing that is old.
    const nowMs = this.#system?.nowMs() ?? 0;
    await this.#ask({ type: "write", blocks, nowMs });
  }

  /** {@inheritDoc SpanKeeper[keptSpans]} */
  readonly [keptSpans]: SpanShelf = {
    spansOf: async (traceId, limit) => {
      const { found } = await this.#ask({ type: "spansOf", traceId, limit });
      return found ?? { spans: [], unread: [] };
    },
    traces: async (query) => {
      const { list } = await this.#ask({ type: "traces", query });
      return list ?? { traces: [], next: null, unread: [] };
    },
  };

  /** {@inheritDoc SpanExporter.spansOf} */
  async spansOf(traceId: string, limit: number): Promise<readonly SpanRecord[]> {
    return (await this[keptSpans].spansOf(traceId, limit)).spans;
  }

  /** {@inheritDoc SpanExporter.shutdown} */
  async shutdown(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.#ask({ type: "close" });
    this.#worker = undefined;
    await worker.terminate();
  }

  async #ask(request: WriterRequest): Promise<WriterAnswer> {
    const worker = (this.#worker ??= this.#start());
    const waiting = Promise.withResolvers<WriterAnswer>();
    this.#waiting.push(waiting);
    // While something is to be written the process lives.
    worker.ref();
    worker.postMessage(request);
    const answer = await waiting.promise;
    if (answer.failure !== undefined) throw this.#failed(answer.failure);
    return answer;
  }

  #start(): Worker {
    const words = this.#system?.ids.words ?? new Uint32Array(4);
    const workerData: WriterData = { ...this.#data, words };
    const worker = new Worker(moduleBeside(), { workerData, execArgv: [] });
    worker.unref();
    worker.on("message", (answer: WriterAnswer) => {
      this.#waiting.shift()?.resolve(answer);
      if (this.#waiting.length === 0) worker.unref();
    });
    const onGone = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined;
      const { length } = this.#waiting;
      for (const waiting of this.#waiting.splice(0, length))
        waiting.reject(this.#failed(reasonOf(error)));
    };
    worker.on("error", onGone);
    worker.on("exit", (code) => onGone(new Error(`its thread ended with ${code}`)));
    return worker;
  }

  #failed(reason: string): Error {
    return new telemetryErrors.STORE_FAILED({ path: this.#data.directory, reason });
  }
}

/** Two levels below the package, as the sources are and the chunks of a build. */
function moduleBeside(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(
    isSource ? "./writer-main.ts" : "../telemetry/sqlite/writer-main.js",
    import.meta.url,
  );
}
