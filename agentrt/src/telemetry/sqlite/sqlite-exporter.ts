import { resolve } from "node:path";
import type { System } from "../../core/index.ts";
import { BlockBuilder } from "../block-builder.ts";
import { telemetryErrors } from "../errors.ts";
import { exportBlocks, type PackedExporter } from "../packed-exporter.ts";
import type { SpanBlock } from "../span-block.ts";
import type { ExporterHost } from "../span-exporter.ts";
import { keptSpans, type SpanKeeper, type SpanShelf } from "../span-keeper.ts";
import type { SpanRecord } from "../span-record.ts";
import { FilesThread } from "./files-thread.ts";
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

/** Questions that wait for an answer, at most: more would wait longer than anybody asks. */
const questionCountMax = 32;

/**
 * Keeps spans in a folder of SQLite files, which a separate thread writes. Another one reads them, once somebody asks: what is
 * asked for holds up no write.
 */
export class SqliteExporter implements PackedExporter, SpanKeeper {
  readonly name = "sqlite";
  readonly batchLengthMax = 2000;
  readonly #data: Omit<WriterData, "words">;
  readonly #builder = new BlockBuilder();
  readonly #writer: FilesThread;
  readonly #reader: FilesThread;
  #system: System | undefined;

  /** @param options Nothing is opened yet. */
  constructor(options: SqliteExporterOptions = {}) {
    const { directory = "./telemetry", windowDays = 30, retentionWindowCount = 6 } = options;
    this.#data = { directory: resolve(directory), windowDays, retentionWindowCount };
    const { directory: path } = this.#data;
    const init = {
      data: () => ({ ...this.#data, words: this.#system?.ids.words ?? new Uint32Array(4) }),
      failed: (reason: string) => new telemetryErrors.STORE_FAILED({ path, reason }),
    };
    [this.#writer, this.#reader] = [new FilesThread(init), new FilesThread(init)];
  }

  /**
   * {@inheritDoc SpanExporter.open}
   *
   * @throws AGENTRT_TELEMETRY_STORE_FAILED when the folder cannot be written.
   */
  async open({ system }: ExporterHost): Promise<void> {
    this.#system = system;
    // An empty batch makes the folder and deletes what is old.
    await this.#writer.ask({ type: "write", blocks: [], nowMs: system.nowMs() });
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
    await this.#writer.ask({ type: "write", blocks, nowMs });
  }

  /** {@inheritDoc SpanKeeper[keptSpans]} With 32 questions that wait it throws AGENTRT_TELEMETRY_BUSY. */
  readonly [keptSpans]: SpanShelf = {
    spansOf: async (traceId, limit) => {
      const { found } = await this.#question({ type: "spansOf", traceId, limit });
      return found ?? { spans: [], unread: [] };
    },
    traces: async (query) => {
      const { list } = await this.#question({ type: "traces", query });
      return list ?? { traces: [], next: null, unread: [] };
    },
  };

  /** {@inheritDoc SpanExporter.spansOf} */
  async spansOf(traceId: string, limit: number): Promise<readonly SpanRecord[]> {
    return (await this[keptSpans].spansOf(traceId, limit)).spans;
  }

  /** {@inheritDoc SpanExporter.shutdown} */
  async shutdown(): Promise<void> {
    await Promise.all([this.#writer.end({ type: "close" }), this.#reader.end()]);
  }

  async #question(request: WriterRequest): Promise<WriterAnswer> {
    if (this.#reader.waitingCount >= questionCountMax)
      throw new telemetryErrors.BUSY({ path: this.#data.directory, count: questionCountMax });
    return await this.#reader.ask(request);
  }
}
