import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  createRealSystem,
  type Fence,
  type FencedStates,
  type JsonObject,
  reasonOf,
  type StateOutage,
  type System,
  TableError,
} from "../../core/index.ts";
import { openFailed, stateErrors } from "../errors.ts";
import { GroupCommit } from "./group-commit.ts";
import type { RawStates, StateRow } from "../raw-states.ts";
import { namesOfStateFile, realStateFile } from "./real-state-file.ts";
import { lockPathOf, lockStateFile, makePrivate, type StateFileLock } from "./state-file-lock.ts";
import { parseState, stateTextOf } from "../state-text.ts";

/** State file of a runtime that names none. */
export const defaultStatePath = "agency_state.db";

/** What `openSqliteStateStore` takes. */
export interface SqliteStateStoreOptions {
  /** The database file, made when it is not there; default `agency_state.db` in the working folder. */
  readonly path?: string | undefined;
  /** Opens an existing file for reading while a writer runs; default false. */
  readonly isReadOnly?: boolean | undefined;
  /** Opens an existing file for one look, and makes no file next to it; default false. */
  readonly isSnapshot?: boolean | undefined;
  /**
   * `strict` waits at each write until the disk has it, so it survives a power failure too; `normal`, the default,
   * survives the death of the process. Either way the file stays whole. Strict writes of one turn share one wait.
   */
  readonly durability?: "normal" | "strict" | undefined;
  /** Other processes that say the same write the file, too: then only states under fences are kept apart. Default false. */
  readonly isShared?: boolean | undefined;
  /** Longest wait, in milliseconds, while another program holds the file; default 10_000. Only who asked waits. */
  readonly timeoutMs?: number | undefined;
  /** Clock and timers; default the real ones. */
  readonly system?: System | undefined;
}

const schema =
  "CREATE TABLE IF NOT EXISTS agent_state(agent_name TEXT PRIMARY KEY, state TEXT NOT NULL, updated_at REAL)";
// A file that an earlier version made, or another program, is without it; the name of the column says what it is.
const timeColumn = "ALTER TABLE agent_state ADD COLUMN updated_at REAL";
const upsert =
  "INSERT INTO agent_state(agent_name, state, updated_at) VALUES(?, ?, ?) " +
  "ON CONFLICT(agent_name) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at";
const fenceTable =
  "CREATE TABLE IF NOT EXISTS state_fence(name TEXT PRIMARY KEY, token INTEGER NOT NULL)";
const raiseFence =
  "INSERT INTO state_fence(name, token) VALUES(?, 1) ON CONFLICT(name) DO UPDATE SET token = token + 1 RETURNING token";
// One statement, so that nobody raises the fence in the middle.
const fencedUpsert =
  "INSERT INTO agent_state(agent_name, state, updated_at) SELECT ?, ?, ? " +
  "WHERE EXISTS (SELECT 1 FROM state_fence WHERE name = ? AND token = ?) " +
  "ON CONFLICT(agent_name) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at";
const fencedDelete =
  "DELETE FROM agent_state WHERE agent_name = ? " +
  "AND EXISTS (SELECT 1 FROM state_fence WHERE name = ? AND token = ?)";
// Only a foreign program can hold the file, and such a wait stops this whole process: it is for opening alone.
const openTimeoutMs = 250;
const retryDelayMs = 50;
const look = "SELECT agent_name, state FROM agent_state LIMIT 1";
// How every SQLite file begins.
const fileMagic = "SQLite format 3\0";

/** Keeps states in one SQLite file, in write-ahead mode and readable only by its owner. One process writes it. */
export class SqliteStateStore implements RawStates {
  readonly #path: string;
  /** The file itself, whatever links led to it. */
  readonly #realPath: string;
  readonly #lock: StateFileLock | undefined;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The file that was opened, whatever is at the path later. */
  readonly #identity: string | undefined;
  readonly #system: System;
  readonly #timeoutMs: number;
  /** Where strict writes wait for the commit they share, and all writes while another program holds the file. */
  readonly #group: GroupCommit;
  readonly #isStrict: boolean;
  readonly fenced: FencedStates | undefined;
  #isOpen = true;

  /**
   * Opens the file, and makes it when it is not there.
   *
   * @throws AGENTRT_STATE_LOCKED when another process writes it; AGENTRT_STATE_OPEN_FAILED when it cannot be opened.
   */
  constructor(options: SqliteStateStoreOptions = {}) {
    this.#path = resolve(options.path ?? defaultStatePath);
    this.#system = options.system ?? createRealSystem();
    this.#timeoutMs = options.timeoutMs ?? 10_000;
    this.#isStrict = options.durability === "strict";
    const isReadOnly = options.isReadOnly === true || options.isSnapshot === true;
    const refuse = (error: unknown): never => {
      if (error instanceof TableError) throw error;
      throw openFailed(this.#path, error);
    };
    // A file with a lock beside it may be open in this very process, which must not open it a second time.
    let isOurs = isReadOnly;
    try {
      this.#realPath = realStateFile(this.#path);
      isOurs ||= namesOfStateFile(this.#realPath).some((name) => existsSync(lockPathOf(name)));
      if (!isOurs) refuseForeignFile(this.#realPath);
    } catch (error) {
      throw refuse(error);
    }
    this.#lock = isReadOnly ? undefined : lockStateFile(this.#realPath, options.isShared);
    try {
      if (isOurs && !isReadOnly) refuseForeignFile(this.#realPath);
      this.#database = isReadOnly
        ? openReader(this.#realPath, options)
        : openWriter(this.#realPath, options);
      this.#identity = fileIdentity(this.#path);
      this.#group = this.#makeGroup();
      this.fenced = options.isShared === true ? this.#fencedStates() : undefined;
    } catch (error) {
      this.#lock?.release();
      throw refuse(error);
    }
  }

  get label(): string {
    return this.#path;
  }

  async get(agent: string): Promise<JsonObject | undefined> {
    this.#group.flush();
    // While the file is held, what was asked to be saved before is waited for.
    if (this.#group.isBlocked) await this.#group.settled(agent);
    const sql = "SELECT state FROM agent_state WHERE agent_name = ?";
    const row = await this.#read(agent, () => this.#prepare(sql).get(agent));
    if (row === undefined) return undefined;
    return parseState(String(row["state"]), { agent, path: this.#path });
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    const text = stateTextOf(agent, state);
    const savedAt = this.#system.nowMs() / 1000;
    await this.#save(agent, () => void this.#write(agent, upsert, [agent, text, savedAt]));
  }

  async delete(agent: string): Promise<void> {
    const sql = "DELETE FROM agent_state WHERE agent_name = ?";
    await this.#save(agent, () => void this.#write(agent, sql, [agent]));
  }

  async listAgents(): Promise<string[]> {
    const sql = "SELECT agent_name FROM agent_state";
    this.#group.flush();
    const rows = await this.#read(undefined, () => this.#prepare(sql).all());
    // Sorted here: SQLite orders by bytes of UTF-8, which is not the order of the other stores.
    return rows.map((row) => String(row["agent_name"])).sort();
  }

  async *rows(): AsyncGenerator<StateRow> {
    // A foreign hand may have left other types in the columns.
    const time = hasTimes(this.#database) ? "updated_at" : "NULL";
    const sql = `SELECT CAST(agent_name AS TEXT) AS agent, CAST(state AS TEXT) AS state, ${time} AS at FROM agent_state`;
    this.#group.flush();
    const iterator = await this.#read(undefined, () => this.#prepare(sql).iterate());
    for (;;) {
      const next = await this.#read(undefined, () => iterator.next());
      if (next.done === true) return;
      const { agent, state, at } = next.value;
      const savedAtMs = typeof at === "number" ? at * 1000 : undefined;
      yield { agent: String(agent), text: String(state), savedAtMs };
    }
  }

  outage(): StateOutage | undefined {
    if (!this.#group.isBlocked) return undefined;
    return { store: basename(this.#path), reason: heldReason };
  }

  async saveRows(rows: AsyncIterable<StateRow>): Promise<number> {
    let count = 0;
    await this.#transaction(async () => {
      for await (const { agent, text, savedAtMs = this.#system.nowMs() } of rows) {
        this.#write(agent, upsert, [agent, text, savedAtMs / 1000]);
        count += 1;
      }
    });
    return count;
  }

  async deleteAll(): Promise<void> {
    await this.#transaction(async () => {
      this.#prepare("DELETE FROM agent_state").run();
    });
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#group.flush();
    await this.#group.settled();
    this.#group.close();
    this.#statements.clear();
    this.#database.close();
    this.#lock?.release();
  }

  /** Reads; a damaged page shows only when it is met. */
  async #read<Result>(agent: string | undefined, read: () => Result): Promise<Result> {
    this.#refuseClosed();
    try {
      return await this.#whenFree(read);
    } catch (cause) {
      if (cause instanceof TableError) throw cause;
      const details = { path: this.#path, agent, reason: reasonOf(cause) };
      throw isCurable(cause)
        ? this.#unavailable(agent, cause)
        : new stateErrors.READ_FAILED(details, { cause });
    }
  }

  /** Does something as soon as no other program holds the file, while the rest of the process goes on. */
  async #whenFree<Result>(work: () => Result): Promise<Result> {
    const deadlineMs = this.#system.monotonicMs() + this.#timeoutMs;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || this.#system.monotonicMs() >= deadlineMs) throw error;
      }
      await new Promise<void>((resolve) => this.#system.setTimer(retryDelayMs, resolve));
    }
  }

  /** Writes, and says how many rows; a file that was deleted or replaced would take the state to the grave, so that is a failure. */
  #write(agent: string, sql: string, values: readonly (string | number)[]): number {
    const statement = this.#prepare(sql);
    if (fileIdentity(this.#path) !== this.#identity)
      throw new stateErrors.FILE_GONE({ path: this.#path, agent });
    return Number(statement.run(...values).changes);
  }

  #fencedStates(): FencedStates {
    return {
      raise: async (names) => {
        let fences: Fence[] = [];
        await this.#save(names.join(", "), () => {
          fences = names.map((name) => {
            const row = this.#prepare(raiseFence).get(name);
            return { name, token: Number(row?.["token"]) };
          });
        });
        return fences;
      },
      get: async (agent, fence) => {
        const state = await this.get(agent);
        // Looked at behind the state: a fence that was not raised by then was not raised before.
        await this.#read(agent, () => this.#refuseFenced(agent, fence));
        return state;
      },
      set: async (agent, state, { name, token }) => {
        const values = [agent, stateTextOf(agent, state), this.#system.nowMs() / 1000, name, token];
        await this.#save(agent, () => {
          if (this.#write(agent, fencedUpsert, values) > 0) return;
          throw new stateErrors.FENCED({ path: this.#path, agent });
        });
      },
      delete: async (agent, fence) =>
        await this.#save(agent, () => {
          const count = this.#write(agent, fencedDelete, [agent, fence.name, fence.token]);
          if (count === 0) this.#refuseFenced(agent, fence);
        }),
    };
  }

  #refuseFenced(agent: string, { name, token }: Fence): void {
    const row = this.#prepare("SELECT token FROM state_fence WHERE name = ?").get(name);
    if (Number(row?.["token"]) !== token) throw new stateErrors.FENCED({ path: this.#path, agent });
  }

  /** Does a write: at once; or with the others of this turn, when each has to wait for the disk or for the file. */
  async #save(agent: string, write: () => void): Promise<void> {
    this.#refuseClosed();
    try {
      if (!this.#isStrict && !this.#group.isBlocked && !this.#group.isWaiting) {
        try {
          write();
          return;
        } catch (error) {
          if (!isBusy(error)) throw error;
          this.#group.block(error);
        }
      }
      await this.#group.add(agent, write);
    } catch (cause) {
      if (cause instanceof TableError) throw cause;
      const details = { path: this.#path, agent, reason: reasonOf(cause) };
      throw isCurable(cause)
        ? this.#unavailable(agent, cause)
        : new stateErrors.WRITE_FAILED(details, { cause });
    }
  }

  #unavailable(agent: string | undefined, cause: unknown): Error {
    const isHeld = isBusy(cause);
    const waited = `${heldReason}, for more than ${this.#timeoutMs / 1000} s`;
    const details = { path: this.#path, agent, reason: isHeld ? waited : reasonOf(cause) };
    return new stateErrors.UNAVAILABLE(details, { cause });
  }

  #refuseClosed(): void {
    if (!this.#isOpen) throw new stateErrors.CLOSED({ path: this.#path });
  }

  #makeGroup(): GroupCommit {
    const run = (sql: string): void => void this.#prepare(sql).run();
    const database = this.#database;
    return new GroupCommit(
      {
        begin: () => run("BEGIN IMMEDIATE"),
        commit: () => run("COMMIT"),
        rollback: () => {
          if (database.isTransaction) run("ROLLBACK");
        },
        get isInTransaction() {
          return database.isTransaction;
        },
        isBusy,
      },
      { system: this.#system, timeoutMs: this.#timeoutMs },
    );
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    this.#refuseClosed();
    this.#group.flush();
    const fail = (error: unknown): never => {
      if (error instanceof TableError) throw error;
      throw new stateErrors.WRITE_ALL_FAILED(
        { path: this.#path, reason: reasonOf(error) },
        { cause: error },
      );
    };
    try {
      await this.#whenFree(() => this.#prepare("BEGIN IMMEDIATE").run());
    } catch (error) {
      fail(error);
    }
    try {
      await work();
      this.#prepare("COMMIT").run();
    } catch (error) {
      // A full disk may have undone it already.
      if (this.#database.isTransaction) this.#prepare("ROLLBACK").run();
      fail(error);
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const heldReason = "another program holds it";
// SQLite's primary result codes.
const busyCode = 5;
const curableCodes = [busyCode, 10, 13];

function resultCode(error: unknown): number {
  return Number((error as { readonly errcode?: unknown } | null)?.errcode ?? 0) & 0xff;
}

/** True when another program holds the file at the moment . */
function isBusy(error: unknown): boolean {
  return resultCode(error) === busyCode;
}

/** True for what is over some time without a change to the file: it is held, or the disk fails or is full. */
function isCurable(error: unknown): boolean {
  return curableCodes.includes(resultCode(error));
}

/** Tells one file from another that has its name; `undefined` when there is none. */
function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? undefined : `${status.dev}:${status.ino}`;
}

/** Leaves a file alone that is not a SQLite database: nothing is made next to it either. */
function refuseForeignFile(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, "r");
  try {
    const head = new Uint8Array(fileMagic.length);
    const sizeBytes = readSync(file, head);
    const text = String.fromCharCode(...head.subarray(0, sizeBytes));
    if (sizeBytes > 0 && text !== fileMagic) throw new Error("it is not a SQLite database");
  } finally {
    closeSync(file);
  }
}

function openWriter(path: string, { durability, isShared }: SqliteStateStoreOptions): DatabaseSync {
  // Made by us, so that it is never readable by others, not even for a moment; the -wal file takes its mode.
  const isThere = existsSync(path);
  if (!isThere) makePrivate(path);
  const database = new DatabaseSync(path, { timeout: openTimeoutMs });
  if (isThere) {
    // Whatever changes the file, be it its mode, comes after it turned out to be ours.
    refuseForeignTable(database);
    makePrivate(path);
  }
  return checked(database, [
    "PRAGMA journal_mode = WAL",
    `PRAGMA synchronous = ${durability === "strict" ? "FULL" : "NORMAL"}`,
    schema,
    ...(isShared === true ? [fenceTable] : []),
    ...(isThere && hasTable(database) && !hasTimes(database) ? [timeColumn] : []),
    // From now on nothing waits in the middle of a statement.
    "PRAGMA busy_timeout = 0",
  ]);
}

function openReader(path: string, { isSnapshot }: SqliteStateStoreOptions): DatabaseSync {
  const location = pathToFileURL(path);
  // SQLite makes two files beside one in write-ahead mode even to read it, unless told that nobody writes it; and
  // nobody does as long as there is no -wal file.
  if (isSnapshot === true && !existsSync(`${path}-wal`))
    location.searchParams.set("immutable", "1");
  return checked(new DatabaseSync(location, { readOnly: true, timeout: openTimeoutMs }), [
    "PRAGMA busy_timeout = 0",
  ]);
}

/** Leaves a database alone that a newer version wrote, or whose table of our name is another program's. */
function refuseForeignTable(database: DatabaseSync): void {
  try {
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version !== 0)
      throw new Error(`its version is ${version}, which this version of agentrt does not know`);
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    if (names.length === 0) return;
    if (!names.some(({ name }) => name === "agent_state"))
      throw new Error("it is the database of another program: it has tables, and no agent_state");
    database.prepare(look).get();
  } catch (error) {
    database.close();
    throw error;
  }
}

function hasTable(database: DatabaseSync): boolean {
  return database.prepare("PRAGMA table_info(agent_state)").all().length > 0;
}

/** True when the file keeps when states were saved. */
function hasTimes(database: DatabaseSync): boolean {
  const columns = database.prepare("PRAGMA table_info(agent_state)").all();
  return columns.some(({ name }) => name === "updated_at");
}

function checked(database: DatabaseSync, statements: readonly string[]): DatabaseSync {
  try {
    for (const statement of statements) database.exec(statement);
    database.prepare(look).get();
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
