import { chmodSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type JsonObject, reasonOf, type StateStore } from "../core/index.ts";
import { openFailed, stateErrors } from "./errors.ts";
import { lockStateFile, type StateFileLock } from "./state-file-lock.ts";

/** State file of a runtime that names none. */
export const defaultStatePath = "agency_state.db";

/** What `openSqliteStateStore` takes. */
export interface SqliteStateStoreOptions {
  /** The database file, made when it is not there; default `agency_state.db` in the working folder. */
  readonly path?: string | undefined;
  /** Opens an existing file for reading beside a running writer; default false. */
  readonly isReadOnly?: boolean | undefined;
}

const schema =
  "CREATE TABLE IF NOT EXISTS agent_state(agent_name TEXT PRIMARY KEY, state TEXT NOT NULL)";
// Only a foreign program can hold the file, and the wait for it stops this whole process.
const busyTimeoutMs = 250;
// How every SQLite file begins.
const fileMagic = "SQLite format 3\0";

/** Keeps states in one SQLite file, in write-ahead mode and readable by its owner alone. One process writes it. */
export class SqliteStateStore implements StateStore {
  readonly #path: string;
  readonly #lock: StateFileLock | undefined;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The file that was opened, whatever stands at the path later. */
  readonly #identity: string | undefined;
  #isOpen = true;

  /**
   * Opens the file, and makes it when it is not there.
   *
   * @throws AGENTRT_STATE_LOCKED when another process writes it; AGENTRT_STATE_OPEN_FAILED when it cannot be opened.
   */
  constructor(options: SqliteStateStoreOptions = {}) {
    this.#path = resolve(options.path ?? defaultStatePath);
    const isReadOnly = options.isReadOnly === true;
    const refuse = (error: unknown): never => {
      throw openFailed(this.#path, error);
    };
    try {
      refuseForeignFile(this.#path);
    } catch (error) {
      refuse(error);
    }
    this.#lock = isReadOnly ? undefined : lockStateFile(this.#path);
    try {
      this.#database = openDatabase(this.#path, isReadOnly);
      this.#identity = fileIdentity(this.#path);
    } catch (error) {
      this.#lock?.release();
      throw refuse(error);
    }
  }

  async get(agent: string): Promise<JsonObject | undefined> {
    const row = this.#prepare("SELECT state FROM agent_state WHERE agent_name = ?").get(agent);
    if (row === undefined) return undefined;
    return this.#parse(agent, row["state"]);
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    const sql =
      "INSERT INTO agent_state(agent_name, state) VALUES(?, ?) " +
      "ON CONFLICT(agent_name) DO UPDATE SET state = excluded.state";
    this.#write(agent, sql, [agent, JSON.stringify(state)]);
  }

  async delete(agent: string): Promise<void> {
    this.#write(agent, "DELETE FROM agent_state WHERE agent_name = ?", [agent]);
  }

  async listAgents(): Promise<string[]> {
    const rows = this.#prepare("SELECT agent_name FROM agent_state").all();
    // Sorted here: SQLite orders by bytes of UTF-8, which is not the order of the other stores.
    return rows.map((row) => String(row["agent_name"])).sort();
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#statements.clear();
    this.#database.close();
    this.#lock?.release();
  }

  /** Writes; a file that was deleted or replaced would take the state to the grave, so that is a failure. */
  #write(agent: string, sql: string, values: readonly string[]): void {
    const statement = this.#prepare(sql);
    const refuse = (reason: string, cause?: unknown): never => {
      throw new stateErrors.WRITE_FAILED({ path: this.#path, agent, reason }, { cause });
    };
    if (fileIdentity(this.#path) !== this.#identity)
      refuse("the file was deleted or replaced while it was open");
    try {
      statement.run(...values);
    } catch (error) {
      refuse(reasonOf(error), error);
    }
  }

  #prepare(sql: string): StatementSync {
    if (!this.#isOpen) throw new stateErrors.CLOSED({ path: this.#path });
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #parse(agent: string, text: unknown): JsonObject {
    let reason = "the saved text is no JSON object";
    try {
      const value: unknown = JSON.parse(String(text));
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        return value as JsonObject;
      }
    } catch (error) {
      reason = error instanceof Error ? error.message : reason;
    }
    throw new stateErrors.CORRUPT({ path: this.#path, agent, reason });
  }
}

/** Tells one file from another that has its name; `undefined` when there is none. */
function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? undefined : `${status.dev}:${status.ino}`;
}

/** Leaves a file alone that is no SQLite database: nothing is made beside it either. */
function refuseForeignFile(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, "r");
  try {
    const head = new Uint8Array(fileMagic.length);
    const sizeBytes = readSync(file, head);
    const text = String.fromCharCode(...head.subarray(0, sizeBytes));
    if (sizeBytes > 0 && text !== fileMagic) throw new Error("it is no SQLite database");
  } finally {
    closeSync(file);
  }
}

function openDatabase(path: string, isReadOnly: boolean): DatabaseSync {
  if (!isReadOnly) {
    // Made by us, so that it is never readable by others, not even for a moment; the -wal file takes its mode.
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  }
  const database = new DatabaseSync(path, { readOnly: isReadOnly, timeout: busyTimeoutMs });
  try {
    if (!isReadOnly) {
      database.exec("PRAGMA journal_mode = WAL");
      database.exec("PRAGMA synchronous = NORMAL");
      database.exec(schema);
    }
    database.prepare("SELECT agent_name, state FROM agent_state LIMIT 1").get();
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
