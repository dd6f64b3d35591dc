import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SpanRecord } from "../span-record.ts";
import { traceBytesOf } from "./span-ids.ts";
import { recordOfRow } from "./span-row.ts";
import { blockLength, selectSpans } from "./span-schema.ts";
import { beginOfFile } from "./window-names.ts";

/** A stretch of time: wall-clock milliseconds, its end excluded. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A point of a chart. */
export interface HourPoint {
  /** When the hour begins: wall-clock milliseconds. */
  readonly hourMs: number;
  /** Empty for spans of no agent. */
  readonly agent: string;
  /** Empty for all but calls of models. */
  readonly model: string;
  readonly spanCount: number;
  readonly errorCount: number;
  readonly costUsd: number;
}

/** A file of spans, and the time of what is in it. */
interface SpanFileTimes {
  readonly name: string;
  /** When its window begins: wall-clock milliseconds. */
  readonly beginMs: number;
  /** The last hour of its spans: wall-clock milliseconds; null for a file without spans. */
  readonly lastHourMs: number | null;
}

/** How a folder of spans is read. */
interface SpanReaderOptions {
  /**
   * Called for a file that cannot be read, each time that it is tried: the others are read all the same. Without it a
   * damaged file makes what reads it fail.
   */
  readonly onDamaged?: ((fileName: string, error: unknown) => void) | undefined;
}

/** Which sums a chart is made of. */
interface PointsQuery {
  readonly condition: string;
  readonly value: string | number;
  /** True where each model has its own points. */
  readonly isByModel: boolean;
}

/** The name of the span that stands for one message handled. */
const handleSpan = "agentrt.agent.handle";
const busyTimeoutMs = 1000;

/** Reads a folder of spans, also while another process writes it. It blocks: for a separate program, or a thread. */
export class SpanReader implements Disposable {
  readonly #directory: string;
  readonly #onDamaged: SpanReaderOptions["onDamaged"];
  /** By name, with when its window begins. */
  readonly #files = new Map<
    string,
    { readonly beginMs: number; readonly database: DatabaseSync }
  >();

  /** @param directory The folder; one that is not there is empty. */
  constructor(directory: string, { onDamaged }: SpanReaderOptions = {}) {
    this.#directory = directory;
    this.#onDamaged = onDamaged;
    this.refresh();
  }

  /** Looks for files that came or went. */
  refresh(): void {
    const names = new Set(namesIn(this.#directory));
    for (const [name, { database }] of this.#files) {
      if (names.has(name)) continue;
      database.close();
      this.#files.delete(name);
    }
    for (const name of [...names].sort()) {
      const beginMs = beginOfFile(name);
      if (beginMs === undefined || this.#files.has(name)) continue;
      const [database] = this.#guarded(name, () => [openReady(join(this.#directory, name))]);
      if (database !== undefined) this.#files.set(name, { beginMs, database });
    }
  }

  /** @returns Messages handled, by hour and agent. */
  messagesByHour(span: TimeSpan): HourPoint[] {
    return this.#points(span, { condition: "name = ?", value: handleSpan, isByModel: false });
  }

  /** @returns All spans, by hour and agent. */
  spansByHour(span: TimeSpan): HourPoint[] {
    return this.#points(span, { condition: "1 = ?", value: 1, isByModel: false });
  }

  /** @returns What models cost, by hour, agent and model. */
  costByHour(span: TimeSpan): HourPoint[] {
    return this.#points(span, { condition: "llm_model != ?", value: "", isByModel: true });
  }

  /** @returns The spans of a trace, by their start. */
  spansOf(traceId: string, limit: number): SpanRecord[] {
    const found = this.#fromFiles((database) =>
      rowsOfTrace(database, traceId, limit).map(recordOfRow),
    );
    return found.toSorted((one, other) => one.startMs - other.startMs).slice(0, limit);
  }

  /** @returns The latest spans, the newest first. */
  recentSpans(limit: number): SpanRecord[] {
    const found: SpanRecord[] = [];
    const sql = "SELECT * FROM spans ORDER BY start_time DESC LIMIT ?";
    for (const [name, { database }] of [...this.#files].reverse()) {
      if (found.length >= limit) break;
      const left = limit - found.length;
      found.push(...this.#guarded(name, () => database.prepare(sql).all(left).map(recordOfRow)));
    }
    return found;
  }

  /**
   * Adds up what charts of minutes show. It reads the spans themselves, by their time: for short stretches.
   *
   * @param bucketMs Milliseconds of a point, whose time is in `hourMs`.
   * @returns Messages handled and calls of models, by time, agent and model; calls have a model, messages none.
   */
  pointsOf({ fromMs, toMs }: TimeSpan, bucketMs: number): HourPoint[] {
    const bucket = bucketMs / 1000;
    const sql =
      "SELECT CAST(start_time / ? AS INTEGER) AS bucket, COALESCE(agent_name, '') AS agent_name, " +
      "COALESCE(llm_model, '') AS model, COUNT(*) AS spans, SUM(status = 'error') AS errors, " +
      "COALESCE(SUM(llm_cost_usd), 0) AS cost FROM spans WHERE start_time >= ? AND start_time < ? " +
      "AND (name = ? OR llm_model != '') GROUP BY 1, 2, 3";
    return this.#all(sql, bucket, fromMs / 1000, toMs / 1000, handleSpan).map((row) =>
      pointOf(row, Number(row["bucket"]) * bucketMs),
    );
  }

  /** @returns The files of the folder that can be read, by their time. */
  files(): SpanFileTimes[] {
    return [...this.#files].flatMap(([name, { beginMs, database }]) =>
      this.#guarded(name, () => {
        const last = database.prepare("SELECT MAX(hour) AS hour FROM span_hours").get()?.["hour"];
        return [{ name, beginMs, lastHourMs: typeof last === "number" ? last * 1000 : null }];
      }),
    );
  }

  /** @returns How many spans there are. */
  count(): number {
    const rows = this.#all("SELECT COALESCE(SUM(span_count), 0) AS count FROM span_hours");
    return rows.reduce((sum, row) => sum + Number(row["count"]), 0);
  }

  [Symbol.dispose](): void {
    for (const { database } of this.#files.values()) database.close();
    this.#files.clear();
  }

  #points({ fromMs, toMs }: TimeSpan, { condition, value, isByModel }: PointsQuery): HourPoint[] {
    // In the order of the table's key: nothing is sorted.
    const group = isByModel ? "hour, agent_name, llm_model" : "hour, agent_name";
    const sql =
      `SELECT hour, agent_name, ${isByModel ? "llm_model" : "''"} AS model, SUM(span_count) AS spans, ` +
      "SUM(error_count) AS errors, SUM(llm_cost_usd) AS cost FROM span_hours " +
      `WHERE hour >= ? AND hour < ? AND ${condition} GROUP BY ${group} ORDER BY ${group}`;
    return this.#all(sql, fromMs / 1000, toMs / 1000, value).map((row) =>
      pointOf(row, Number(row["hour"]) * 1000),
    );
  }

  #all(sql: string, ...values: (string | number)[]): Row[] {
    return this.#fromFiles((database) => database.prepare(sql).all(...values));
  }

  #fromFiles<Item>(read: (database: DatabaseSync) => Item[]): Item[] {
    return [...this.#files].flatMap(([name, { database }]) =>
      this.#guarded(name, () => read(database)),
    );
  }

  #guarded<Item>(name: string, read: () => Item[]): Item[] {
    if (this.#onDamaged === undefined) return read();
    try {
      return read();
    } catch (error) {
      this.#onDamaged(name, error);
      return [];
    }
  }
}

type Row = { readonly [column: string]: unknown };

function pointOf(row: Row, hourMs: number): HourPoint {
  return {
    hourMs,
    agent: String(row["agent_name"]),
    model: String(row["model"]),
    spanCount: Number(row["spans"]),
    errorCount: Number(row["errors"]),
    costUsd: Number(row["cost"]),
  };
}

function rowsOfTrace(database: DatabaseSync, traceId: string, limit: number): Row[] {
  const has = database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?");
  const [isIndexed, isBefore] = ["span_blocks", "spans_before"].map(
    (name) => has.get(name) !== undefined,
  );
  const indexed = isIndexed === true ? rowsInBlocks(database, traceId, limit) : [];
  if (isIndexed === true && isBefore !== true) return indexed;
  const table = isIndexed === true ? "spans_before" : "spans";
  const sql = `SELECT * FROM ${table} WHERE trace_id = ? ORDER BY start_time LIMIT ?`;
  return [...indexed, ...database.prepare(sql).all(traceId, limit)];
}

/** Blocks say which traces are in them: only the rows of those with this one are looked through. */
function rowsInBlocks(database: DatabaseSync, traceId: string, limit: number): Row[] {
  const bytes = traceBytesOf(traceId);
  const word = bytes?.subarray(-4) ?? new Uint8Array(4);
  const blocks = database.prepare("SELECT id FROM span_blocks WHERE instr(traces, ?) > 0");
  const condition = bytes === undefined ? "trace_id = ?" : "substr(r.ids, 1, 16) = ?";
  const rows = database.prepare(
    `${selectSpans} WHERE r.id >= ? AND r.id < ? AND ${condition} ORDER BY r.start_time LIMIT ?`,
  );
  return blocks.all(word).flatMap(({ id }) => {
    const begin = Number(id) * blockLength;
    return rows.all(begin, begin + blockLength, bytes ?? traceId, limit);
  });
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** @returns The file; undefined for one that its writer has just made and not filled yet. */
function openReady(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  // The last table of the schema, which is made in one transaction.
  const sql = "SELECT 1 FROM sqlite_master WHERE name = 'span_hours'";
  try {
    if (database.prepare(sql).get() !== undefined) return database;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}
