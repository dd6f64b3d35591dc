import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { hourSumsOf } from "./hour-sums.ts";
import type { SpanRow } from "./span-row.ts";
import { blockLength, createTables, migrateTables, schemaVersion } from "./span-schema.ts";
import { shapeCountMax, type SpanShape } from "./span-shape.ts";

/** Another program that reads holds up nobody; one that writes holds up the thread for so long at most. */
const busyTimeoutMs = 5000;
/** Rows of one statement: each statement that runs costs as much as a row. */
const rowsAtOnce = 32;

const insertPlain = (count: number): string =>
  `INSERT INTO span_rows(shape, ids, start_time, end_time, attributes) VALUES${Array.from({ length: count }, () => "(?, ?, ?, ?, ?)").join(", ")}`;
const insertFull =
  "INSERT INTO span_rows(shape, ids, start_time, end_time, attributes, error_message, llm_tokens_in, llm_tokens_out, " +
  "llm_cost_usd) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
const insertShape =
  "INSERT INTO span_shapes(name, kind, status, agent_name, llm_model, attributes) VALUES(?, ?, ?, ?, ?, ?)";
const sumColumns = [
  "span_count",
  "error_count",
  "duration_seconds",
  "llm_tokens_in",
  "llm_tokens_out",
  "llm_cost_usd",
];
const addHour =
  `INSERT INTO span_hours(hour, agent_name, name, llm_model, ${sumColumns.join(", ")}) ` +
  `VALUES(?, ?, ?, ?, ${sumColumns.map(() => "?").join(", ")}) ` +
  "ON CONFLICT(hour, agent_name, name, llm_model) DO UPDATE SET " +
  sumColumns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ");

/** One file that is written. */
export class SpanFile {
  readonly #database: DatabaseSync;
  readonly #insertMany: StatementSync;
  readonly #insertOne: StatementSync;
  readonly #insertFull: StatementSync;
  readonly #insertShape: StatementSync;
  readonly #addHour: StatementSync;
  readonly #tracesOf: StatementSync;
  readonly #setTraces: StatementSync;
  /** Numbers of the shapes that this object has written: none is read, so a file may have one twice. */
  readonly #shapes = new Map<SpanShape, number | bigint>();
  readonly #values: SQLInputValue[] = [];

  /** @param path Made when it is not there. Throws what SQLite throws. */
  constructor(path: string) {
    const database = openDatabase(path);
    try {
      this.#insertMany = database.prepare(insertPlain(rowsAtOnce));
      this.#insertOne = database.prepare(insertPlain(1));
      this.#insertFull = database.prepare(insertFull);
      this.#insertShape = database.prepare(insertShape);
      this.#addHour = database.prepare(addHour);
      this.#tracesOf = database.prepare("SELECT traces FROM span_blocks WHERE id = ?");
      this.#setTraces = database.prepare("INSERT OR REPLACE INTO span_blocks VALUES(?, ?)");
      this.#database = database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Writes rows in one transaction. When it throws, the file is of no more use: close it. */
  write(rows: readonly SpanRow[]): void {
    if (rows.length === 0) return;
    this.#database.exec("BEGIN IMMEDIATE");
    const plain: SpanRow[] = [];
    const others: SpanRow[] = [];
    for (const row of rows) (row.isPlain ? plain : others).push(row);
    let lastId = this.#writePlain(plain);
    for (const row of others) lastId = this.#writeFull(row);
    this.#noteTraces([...plain, ...others], Number(lastId));
    for (const sum of hourSumsOf(rows)) this.#addHour.run(...sum);
    this.#database.exec("COMMIT");
  }

  /** Closes it: what is not committed is undone, and the write-ahead file goes into the file itself. */
  close(): void {
    this.#database.close();
  }

  #writePlain(rows: readonly SpanRow[]): number | bigint {
    let lastId: number | bigint = 0;
    let at = 0;
    for (; at + rowsAtOnce <= rows.length; at += rowsAtOnce) {
      const values = this.#values;
      let place = 0;
      for (let index = at; index < at + rowsAtOnce; index += 1) {
        const row = rows[index] as SpanRow;
        values[place] = this.#shapeOf(row.shape);
        values[place + 1] = row.ids;
        values[place + 2] = row.startTime;
        values[place + 3] = row.endTime;
        values[place + 4] = row.attributes;
        place += 5;
      }
      lastId = this.#insertMany.run(...values).lastInsertRowid;
    }
    for (; at < rows.length; at += 1) {
      const { shape, ids, startTime, endTime, attributes } = rows[at] as SpanRow;
      const made = this.#insertOne.run(this.#shapeOf(shape), ids, startTime, endTime, attributes);
      lastId = made.lastInsertRowid;
    }
    return lastId;
  }

  #writeFull(row: SpanRow): number | bigint {
    return this.#insertFull.run(
      this.#shapeOf(row.shape),
      row.ids,
      row.startTime,
      row.endTime,
      row.attributes,
      row.errorMessage,
      row.tokensIn,
      row.tokensOut,
      row.costUsd,
    ).lastInsertRowid;
  }

  #shapeOf(shape: SpanShape): number | bigint {
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    if (this.#shapes.size >= shapeCountMax) this.#shapes.clear();
    const { name, kind, status, agentName, model, attributes } = shape;
    const made = this.#insertShape.run(name, kind, status, agentName, model, attributes);
    this.#shapes.set(shape, made.lastInsertRowid);
    return made.lastInsertRowid;
  }

  /** Notes which traces are in each block of rows: an index of them would cost more than the rows. */
  #noteTraces(rows: readonly SpanRow[], lastId: number): void {
    const firstId = lastId - rows.length + 1;
    for (let index = 0; index < rows.length;) {
      const block = Math.floor((firstId + index) / blockLength);
      const end = Math.min(rows.length, (block + 1) * blockLength - firstId);
      const words = new Set<number>();
      for (; index < end; index += 1) words.add((rows[index] as SpanRow).traceWord);
      const before = this.#tracesOf.get(block)?.["traces"];
      const old = before instanceof Uint8Array ? before : new Uint8Array(0);
      const traces = new Uint8Array(old.length + words.size * 4);
      traces.set(old);
      const view = new DataView(traces.buffer);
      let at = old.length;
      for (const word of words) {
        view.setUint32(at, word);
        at += 4;
      }
      this.#setTraces.run(block, traces);
    }
  }
}

function openDatabase(path: string): DatabaseSync {
  // Made by us, so that others never read it, not even for a moment; its -wal file takes its mode.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    chmodSync(path, 0o600);
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA cache_size = -32768");
    database.exec("PRAGMA wal_autocheckpoint = 4000");
    // At once: a reader finds all of it or nothing.
    database.exec("BEGIN IMMEDIATE");
    makeReady(database, path);
    database.exec("COMMIT");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeReady(database: DatabaseSync, path: string): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version === schemaVersion) return;
  if (version > schemaVersion)
    throw new Error(`${path} has version ${version}; this program writes version ${schemaVersion}`);
  const before = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'spans'").get();
  database.exec(before === undefined ? createTables : migrateTables);
}
