import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SpanRecord } from "../span-record.ts";
import { TraceGatherer, type TraceList, type TraceQuery } from "../trace-list.ts";
import { briefRows, startBehind } from "./brief-rows.ts";
import { traceBytesOf } from "./span-ids.ts";
import { recordOfRow } from "./span-row.ts";
import { blockLength, selectSpans } from "./span-schema.ts";
import { beginOfFile } from "./window-names.ts";

/** A stretch of time: wall-clock milliseconds, its end excluded. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What spans add up to. */
export interface SpanSum {
  readonly spanCount: number;
  readonly errorCount: number;
  readonly costUsd: number;
}

/** What spans of an agent, or its calls of a model, add up to. */
export interface NamedSum extends SpanSum {
  /** Empty for spans of no agent. */
  readonly agent: string;
  /** Empty for all but calls of models. */
  readonly model: string;
}

/** A point of a chart. */
export interface HourPoint extends NamedSum {
  /** When the hour begins: wall-clock milliseconds. */
  readonly hourMs: number;
}

/** Which spans are added up: messages handled, by agent; calls of models, by agent and model; or all, by agent. */
export type SumKind = "calls" | "messages" | "spans";

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

/** The name of the span that stands for one message handled. */
const handleSpan = "agentrt.agent.handle";
/** Which rows of hours are of a kind. */
const conditions: { readonly [Kind in SumKind]: string } = {
  messages: `name = '${handleSpan}'`,
  calls: "llm_model != ''",
  spans: "true",
};
const inRange = "FROM span_hours WHERE hour >= ? AND hour < ?";
const sums =
  "COALESCE(SUM(span_count), 0) AS spans, COALESCE(SUM(error_count), 0) AS errors, COALESCE(SUM(llm_cost_usd), 0) AS cost";
const busyTimeoutMs = 1000;
/** Spans that are looked at for a list of traces at most, and at once. */
const [listedSpanMax, pieceLength] = [20_000, 2000];
/**
 * Spans that are looked at besides, which began after the place where a list goes on: they may be of traces that began before.
 */
const laterSpanCount = 5000;

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

  /** Tells the folder from all others, whatever the processes of a machine that share it call it. */
  get source(): string {
    const found = statSync(this.#directory, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? "" : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
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
    return this.#points(span, "messages");
  }

  /** @returns All spans, by hour and agent. */
  spansByHour(span: TimeSpan): HourPoint[] {
    return this.#points(span, "spans");
  }

  /** @returns What models cost, by hour, agent and model. */
  costByHour(span: TimeSpan): HourPoint[] {
    return this.#points(span, "calls");
  }

  /** @returns What all of a kind adds up to, of whole hours. */
  totalOf({ fromMs, toMs }: TimeSpan, kind: SumKind): SpanSum {
    const sql = `SELECT ${sums} ${inRange} AND ${conditions[kind]}`;
    return addUp(this.#all(sql, fromMs / 1000, toMs / 1000).map(sumOfRow));
  }

  /**
   * Finds who has most of a kind: what there is of others, however many they are, is never held here.
   *
   * @param limit How many at most; of each file so many are taken.
   * @returns Those that cost most first, then those with most spans, of whole hours.
   */
  largestOf({ fromMs, toMs }: TimeSpan, kind: SumKind, limit: number): NamedSum[] {
    const sql =
      `SELECT agent_name, ${modelOf(kind)} AS model, ${sums} ${inRange} AND ${conditions[kind]} ` +
      "GROUP BY 1, 2 ORDER BY cost DESC, spans DESC, 1, 2 LIMIT ?";
    const byName = Map.groupBy(
      this.#all(sql, fromMs / 1000, toMs / 1000, limit).map(namedSumOf),
      ({ agent, model }) => JSON.stringify([agent, model]),
    );
    return [...byName.values()]
      .map((found) => ({ ...(found[0] as NamedSum), ...addUp(found) }))
      .toSorted(bySize)
      .slice(0, limit);
  }

  /** @returns The points of some agents, of calls those of some of their models, by hour. */
  pointsOfNames(
    { fromMs, toMs }: TimeSpan,
    kind: SumKind,
    names: readonly Pick<NamedSum, "agent" | "model">[],
  ): HourPoint[] {
    const wanted = names.map(() => "(?, ?)").join(", ");
    const sql =
      `SELECT hour, agent_name, ${modelOf(kind)} AS model, ${sums} ${inRange} AND ${conditions[kind]} ` +
      `AND (agent_name, ${modelOf(kind)}) IN (VALUES ${wanted}) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
    if (names.length === 0) return [];
    const values = names.flatMap(({ agent, model }) => [agent, model]);
    return this.#all(sql, fromMs / 1000, toMs / 1000, ...values).map(hourPointOf);
  }

  /** @returns The spans of a trace, by their start. */
  spansOf(traceId: string, limit: number): SpanRecord[] {
    const found = this.#fromFiles((database) =>
      rowsOfTrace(database, traceId, limit).map(recordOfRow),
    );
    return found.toSorted((one, other) => one.startMs - other.startMs).slice(0, limit);
  }

  /** @returns Traces, newest first; a list that has looked at 20 000 spans says where to go on. */
  traces(query: TraceQuery): Pick<TraceList, "traces" | "next"> {
    const { before } = query;
    const gatherer = new TraceGatherer(query);
    const beginSeconds =
      before === undefined ? Number.POSITIVE_INFINITY : this.#beginBehind(before.startMs / 1000);
    let left = listedSpanMax;
    for (const [name, { database }] of [...this.#files].reverse()) {
      const pieces = briefRows(database, beginSeconds, pieceLength);
      for (;;) {
        const [piece] = this.#guarded(name, () => {
          const next = pieces.next();
          return next.done === true ? [] : [next.value];
        });
        if (piece === undefined) break;
        gatherer.add(piece);
        left -= piece.length;
        if (left <= 0 || gatherer.isFull) return gatherer.list(false);
      }
    }
    return gatherer.list(true);
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
    return this.#all(sql, bucket, fromMs / 1000, toMs / 1000, handleSpan).map((row) => ({
      hourMs: Number(row["bucket"]) * bucketMs,
      ...namedSumOf(row),
    }));
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

  #points({ fromMs, toMs }: TimeSpan, kind: SumKind): HourPoint[] {
    // In the order of the table's key: nothing is sorted.
    const group = kind === "calls" ? "hour, agent_name, llm_model" : "hour, agent_name";
    const sql =
      `SELECT hour, agent_name, ${modelOf(kind)} AS model, ${sums} ${inRange} AND ${conditions[kind]} ` +
      `GROUP BY ${group} ORDER BY ${group}`;
    return this.#all(sql, fromMs / 1000, toMs / 1000).map(hourPointOf);
  }

  #all(sql: string, ...values: (string | number)[]): Row[] {
    return this.#fromFiles((database) => database.prepare(sql).all(...values));
  }

  #fromFiles<Item>(read: (database: DatabaseSync) => Item[]): Item[] {
    return [...this.#files].flatMap(([name, { database }]) =>
      this.#guarded(name, () => read(database)),
    );
  }

  /** @returns From where on to read, so that what began a little after a moment is read, too: seconds. */
  #beginBehind(seconds: number): number {
    let left = laterSpanCount;
    for (const [name, { database }] of this.#files) {
      const [later] = this.#guarded(name, () => [startBehind(database, seconds, left)]);
      if (later?.startSeconds !== undefined) return later.startSeconds;
      // Small files: the others are in the next one.
      left -= later?.count ?? 0;
    }
    return Number.POSITIVE_INFINITY;
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

/** Only calls of models have one. */
function modelOf(kind: SumKind): string {
  return kind === "calls" ? "llm_model" : "''";
}

function sumOfRow(row: Row): SpanSum {
  return {
    spanCount: Number(row["spans"]),
    errorCount: Number(row["errors"]),
    costUsd: Number(row["cost"]),
  };
}

function namedSumOf(row: Row): NamedSum {
  return { agent: String(row["agent_name"]), model: String(row["model"]), ...sumOfRow(row) };
}

function hourPointOf(row: Row): HourPoint {
  return { hourMs: Number(row["hour"]) * 1000, ...namedSumOf(row) };
}

/** Compares for sorting: what costs most first, then what has most spans, then by name. */
export function bySize(one: NamedSum, other: NamedSum): number {
  const nameOf = ({ agent, model }: NamedSum): string => `${agent}\n${model}`;
  return (
    other.costUsd - one.costUsd ||
    other.spanCount - one.spanCount ||
    (nameOf(one) < nameOf(other) ? -1 : 1)
  );
}

/** @returns What several add up to. */
export function addUp(found: readonly SpanSum[]): SpanSum {
  const sumOf = (valueOf: (each: SpanSum) => number): number =>
    found.reduce((sum, each) => sum + valueOf(each), 0);
  return {
    spanCount: sumOf(({ spanCount }) => spanCount),
    errorCount: sumOf(({ errorCount }) => errorCount),
    costUsd: sumOf(({ costUsd }) => costUsd),
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
