import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { hourSumsOf } from "./hour-sums.ts";
import { spanColumns, type SpanRow } from "./span-row.ts";
import { beginOfFile, fileNameOf, windowOf } from "./window-names.ts";

/** Where spans are kept, and for how long. */
export interface SpanFilesOptions {
  /** The folder; it is made with mode 0700 where it is not there. */
  readonly directory: string;
  /** Days whose spans are in one file, 1 or more. */
  readonly windowDays: number;
  /** Windows that are kept besides the current one, 0 or more. */
  readonly retentionWindowCount: number;
}

/** Files that are open at a time: the current one, and one for what began before the window did. */
const openCountMax = 2;
/** Another program that reads holds up nobody; one that writes holds up the thread for so long at most. */
const busyTimeoutMs = 5000;
const dayMs = 86_400_000;

const schema = `
CREATE TABLE IF NOT EXISTS spans(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, trace_id TEXT NOT NULL, span_id TEXT NOT NULL,
  parent_span_id TEXT, kind TEXT NOT NULL, start_time REAL NOT NULL, end_time REAL NOT NULL, status TEXT NOT NULL,
  error_message TEXT, agent_name TEXT, llm_model TEXT, llm_tokens_in INTEGER, llm_tokens_out INTEGER,
  llm_cost_usd REAL, attributes_json TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS spans_by_start ON spans(start_time);
CREATE INDEX IF NOT EXISTS spans_by_trace ON spans(trace_id);
CREATE INDEX IF NOT EXISTS spans_by_agent ON spans(agent_name, start_time);
CREATE TABLE IF NOT EXISTS span_hours(
  hour INTEGER NOT NULL, agent_name TEXT NOT NULL, name TEXT NOT NULL, llm_model TEXT NOT NULL,
  span_count INTEGER NOT NULL, error_count INTEGER NOT NULL, duration_seconds REAL NOT NULL,
  llm_tokens_in INTEGER NOT NULL, llm_tokens_out INTEGER NOT NULL, llm_cost_usd REAL NOT NULL,
  PRIMARY KEY(hour, agent_name, name, llm_model)) WITHOUT ROWID;`;
const insertSpan = `INSERT INTO spans(${spanColumns.join(", ")}) VALUES(${spanColumns.map(() => "?").join(", ")})`;
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

interface OpenFile {
  readonly database: DatabaseSync;
  readonly insert: StatementSync;
  readonly addHour: StatementSync;
}

/** The files of a folder while spans are written. All of it blocks: it is for a separate thread. */
export class SpanFiles {
  readonly #options: SpanFilesOptions;
  /** By window, the latest used last. */
  readonly #open = new Map<number, OpenFile>();
  #prunedWindow: number | undefined;

  /** Makes the folder. Throws what the file system throws. */
  constructor(options: SpanFilesOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  }

  /**
   * Writes a batch, in one transaction a file; when it returns, the batch survives the death of the process.
   *
   * @param rows The spans.
   * @param nowMs Wall-clock time, which says what is old.
   */
  write(rows: readonly SpanRow[], nowMs: number): void {
    const { windowDays } = this.#options;
    this.#prune(windowOf(nowMs, windowDays));
    const windows = Map.groupBy(rows, (row) => windowOf(row[5] * 1000, windowDays));
    for (const [window, found] of windows) this.#writeTo(window, found);
  }

  /** Closes the files. */
  close(): void {
    for (const window of this.#open.keys()) this.#close(window);
  }

  #writeTo(window: number, rows: readonly SpanRow[]): void {
    const file = this.#fileOf(window);
    const { database } = file;
    try {
      database.exec("BEGIN IMMEDIATE");
      for (const row of rows) file.insert.run(...row);
      for (const sum of hourSumsOf(rows)) file.addHour.run(...sum);
      database.exec("COMMIT");
    } catch (error) {
      // It is opened again with the next batch: the file may be there again by then, or the disk have room.
      this.#close(window);
      throw error;
    }
  }

  #fileOf(window: number): OpenFile {
    const known = this.#open.get(window);
    if (known !== undefined) {
      this.#open.delete(window);
      this.#open.set(window, known);
      return known;
    }
    const made = openFile(
      join(this.#options.directory, fileNameOf(window, this.#options.windowDays)),
    );
    this.#open.set(window, made);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= openCountMax) break;
      this.#close(oldest);
    }
    return made;
  }

  #close(window: number): void {
    const file = this.#open.get(window);
    this.#open.delete(window);
    try {
      // What is not committed is undone, and the write-ahead file goes into the file itself.
      file?.database.close();
    } catch {
      // A file that cannot be closed cannot be written either: that was said.
    }
  }

  /** Deletes the files of windows that are over for long. Looked at when a window begins. */
  #prune(current: number): void {
    if (this.#prunedWindow === current) return;
    const { directory, windowDays, retentionWindowCount } = this.#options;
    const firstKeptMs = (current - retentionWindowCount) * windowDays * dayMs;
    for (const name of readdirSync(directory)) {
      const beginMs = beginOfFile(name);
      if (beginMs === undefined || beginMs >= firstKeptMs) continue;
      this.#close(windowOf(beginMs, windowDays));
      for (const suffix of ["", "-wal", "-shm"])
        rmSync(join(directory, `${name}${suffix}`), { force: true });
    }
    this.#prunedWindow = current;
  }
}

function openFile(path: string): OpenFile {
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
    database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT;`);
    return {
      database,
      insert: database.prepare(insertSpan),
      addHour: database.prepare(addHour),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
