import {
  createRealSystem,
  type FencedStates,
  type JsonObject,
  type StateOutage,
  type System,
  TableError,
} from "../../core/index.ts";
import { stateErrors } from "../errors.ts";
import type { RawStates, StateRow } from "../raw-states.ts";
import { parseState, stateTextOf } from "../state-text.ts";
import { fromJsonbText, toJsonbText } from "./jsonb-text.ts";
import {
  databaseReason,
  isAway,
  labelOf,
  loadPostgresDriver,
  type PostgresDriver,
} from "./postgres-driver.ts";
import { PostgresReader } from "./postgres-reader.ts";
import { PostgresWriter } from "./postgres-writer.ts";
import type { QueryResult } from "./driver-types.ts";
import { PostgresFences } from "./postgres-fences.ts";
import {
  isTableThere,
  makeFenceTable,
  makeTable,
  type RunSql,
  stateTable as table,
} from "./state-table.ts";

/** What a postgres store is made from. */
export interface PostgresStateStoreOptions {
  /** `postgresql://user:password@host:port/database`; its password is in no message. */
  readonly url: string;
  /** Connections kept open; default 1. */
  readonly poolSizeMin?: number | undefined;
  /** Most connections; default 10. */
  readonly poolSizeMax?: number | undefined;
  /** Longest wait for a connection, and for an answer; default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Makes no table and takes no lock, so that it reads while another one writes; default false. */
  readonly isReadOnly?: boolean | undefined;
  /** Takes no lock: other processes write the table, too. Then only states under fences are kept apart. Default false. */
  readonly isShared?: boolean | undefined;
  /** How the driver is loaded; by default it is the installed package `pg`. */
  readonly loadDriver?: (() => Promise<PostgresDriver>) | undefined;
  /** Clock and timers; default the real ones. */
  readonly system?: System | undefined;
}

const upsert =
  `INSERT INTO ${table}(agent_name, state, updated_at) VALUES($1, $2::jsonb, coalesce(to_timestamp($3::float8), now())) ` +
  "ON CONFLICT(agent_name) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at";
const fetchRowCount = 200;
/** Keeps states in a table of a PostgreSQL database, which one process writes: the second is refused. */
export class PostgresStateStore implements RawStates {
  readonly #label: string;
  readonly #reader: PostgresReader;
  /** None for a store that only reads, or is shared. */
  readonly #writer: PostgresWriter | undefined;
  readonly fenced: FencedStates | undefined;
  #isFenceTableThere = false;

  /**
   * Nothing is connected before `open` or the first use.
   *
   * @throws AGENTRT_STATE_URL_INVALID.
   */
  constructor(options: PostgresStateStoreOptions) {
    this.#label = labelOf(options.url);
    const shared = {
      url: options.url,
      label: this.#label,
      timeoutMs: options.timeoutMs ?? 30_000,
      loadDriver: options.loadDriver ?? loadPostgresDriver,
      system: options.system ?? createRealSystem(),
    };
    this.#reader = new PostgresReader({
      ...shared,
      poolSizeMin: options.poolSizeMin ?? 1,
      poolSizeMax: options.poolSizeMax ?? 10,
    });
    const isWriter = options.isReadOnly !== true && options.isShared !== true;
    this.#writer = isWriter ? new PostgresWriter(shared) : undefined;
    if (options.isShared === true)
      this.fenced = new PostgresFences(
        this.#label,
        async (...sql) => await this.#runFenced(...sql),
      );
  }

  get label(): string {
    return this.#label;
  }

  /**
   * Connects; unless it only reads, it makes the table when it is not there and becomes its one writer. One that is shared
   * makes the tables, and becomes none.
   *
   * @throws AGENTRT_STATE_LOCKED naming the one that writes it; AGENTRT_STATE_DATABASE_FAILED,
   *   AGENTRT_STATE_UNAVAILABLE, AGENTRT_STATE_DRIVER_MISSING, AGENTRT_STATE_CLOSED.
   */
  async open(): Promise<void> {
    await this.#isTableThere();
  }

  async #makeTables(): Promise<void> {
    if (this.#isFenceTableThere) return;
    const run: RunSql = (...sql) => this.#reader.run(...sql);
    await makeTable(run);
    await makeFenceTable(run);
    this.#isFenceTableThere = true;
  }

  async #runFenced(sql: string, values: readonly unknown[] = []): Promise<QueryResult> {
    const agent = typeof values[0] === "string" ? values[0] : undefined;
    return await this.#open(async () => {
      await this.#makeTables();
      return await this.#reader.run(sql, values);
    }, agent);
  }

  outage(): StateOutage | undefined {
    if (this.#writer?.isLost !== true) return undefined;
    const { failure } = this.#writer;
    const isTaken = failure instanceof stateErrors.LOCKED;
    const reason = isTaken ? "another process writes it now" : "the database is away";
    return { store: "postgres", reason };
  }

  async get(agent: string): Promise<JsonObject | undefined> {
    const text = await this.#read(agent, async () => {
      const sql = `SELECT state::text AS state FROM ${table} WHERE agent_name = $1`;
      const { rows } = await this.#reader.run(sql, [agent]);
      return rows.map((row) => String(row["state"]))[0];
    });
    if (text === undefined) return undefined;
    return parseState(fromJsonbText(text), { agent, path: this.label });
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    await this.#write(agent, toJsonbText(stateTextOf(agent, state)));
  }

  async delete(agent: string): Promise<void> {
    await this.#write(agent, undefined);
  }

  async listAgents(): Promise<string[]> {
    const names = await this.#read(undefined, async () => {
      const { rows } = await this.#reader.run(`SELECT agent_name FROM ${table}`);
      return rows.map((row) => String(row["agent_name"]));
    });
    return (names ?? []).sort();
  }

  async *rows(): AsyncGenerator<StateRow> {
    // Names first, then the states some at a time: no transaction stays open while the reader takes its time.
    const names = await this.listAgents();
    for (let start = 0; start < names.length; start += fetchRowCount) {
      const some = names.slice(start, start + fetchRowCount);
      const time = "(extract(epoch FROM updated_at) * 1000)::float8";
      const sql = `SELECT agent_name, state::text AS state, ${time} AS at FROM ${table} WHERE agent_name = ANY($1)`;
      const rows = await this.#read(undefined, async () => {
        const result = await this.#reader.run(sql, [some]);
        return result.rows;
      });
      for (const row of rows ?? [])
        yield {
          agent: String(row["agent_name"]),
          text: fromJsonbText(String(row["state"])),
          savedAtMs: Number(row["at"]),
        };
    }
  }

  async saveRows(rows: AsyncIterable<StateRow>): Promise<number> {
    return await this.#open(() =>
      this.#toWriter().transaction(async (run) => await this.#saveEach(rows, run)),
    );
  }

  async deleteAll(): Promise<void> {
    await this.#open(() =>
      this.#toWriter().transaction(async (run) => await run(`DELETE FROM ${table}`)),
    );
  }

  async close(): Promise<void> {
    await this.#writer?.close();
    await this.#reader.close();
  }

  async #saveEach(rows: AsyncIterable<StateRow>, run: RunSql): Promise<number> {
    let count = 0;
    for await (const { agent, text, savedAtMs } of rows) {
      parseState(text, { agent, path: "the source" });
      try {
        const savedAt = savedAtMs === undefined ? null : savedAtMs / 1000;
        await run(upsert, [agent, toJsonbText(text), savedAt]);
      } catch (cause) {
        throw this.#writeFailed(agent, cause);
      }
      count += 1;
    }
    return count;
  }

  async #write(agent: string, text: string | undefined): Promise<void> {
    const writer = this.#toWriter();
    if (!writer.hasOpened) await this.#open(() => writer.open(), agent);
    try {
      await writer.write(agent, text);
    } catch (cause) {
      throw this.#writeFailed(agent, cause);
    }
  }

  #writeFailed(agent: string, cause: unknown): Error {
    if (cause instanceof TableError) return cause;
    const details = { path: this.#label, agent, reason: databaseReason(cause) };
    return isAway(cause)
      ? new stateErrors.UNAVAILABLE(details, { cause })
      : new stateErrors.WRITE_FAILED(details, { cause });
  }

  /** @returns Nothing when the table is not there and must not be made. */
  async #read<Result>(
    agent: string | undefined,
    read: () => Promise<Result>,
  ): Promise<Result | undefined> {
    if (!(await this.#isTableThere(agent))) return undefined;
    try {
      return await read();
    } catch (cause) {
      if (cause instanceof TableError) throw cause;
      const details = { path: this.#label, agent, reason: databaseReason(cause) };
      throw isAway(cause)
        ? new stateErrors.UNAVAILABLE(details, { cause })
        : new stateErrors.READ_FAILED(details, { cause });
    }
  }

  async #isTableThere(agent?: string): Promise<boolean> {
    const writer = this.#writer;
    if (writer?.hasOpened === true) return true;
    return await this.#open(async () => {
      if (this.fenced !== undefined) await this.#makeTables();
      if (writer === undefined) return await isTableThere((...sql) => this.#reader.run(...sql));
      await writer.open();
      return true;
    }, agent);
  }

  #toWriter(): PostgresWriter {
    if (this.#writer !== undefined) return this.#writer;
    const isShared = this.fenced !== undefined;
    const reason = isShared ? "others write it, too" : "it was opened for reading only";
    throw new stateErrors.WRITE_ALL_FAILED({ path: this.#label, reason });
  }

  async #open<Result>(work: () => Promise<Result>, agent?: string): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof TableError) throw cause;
      const reason = databaseReason(cause);
      if (isAway(cause))
        throw new stateErrors.UNAVAILABLE({ path: this.#label, agent, reason }, { cause });
      throw new stateErrors.DATABASE_FAILED({ database: this.#label, reason }, { cause });
    }
  }
}
