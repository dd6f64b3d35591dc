import { type JsonObject, TableError } from "../../core/index.ts";
import { stateErrors } from "../errors.ts";
import { fromJsonbText, toJsonbText } from "./jsonb-text.ts";
import {
  databaseReason,
  loadPostgresDriver,
  PostgresDatabase,
  type PostgresDriver,
  type RunSql,
} from "./postgres-database.ts";
import type { RawStates, StateRow } from "../raw-states.ts";
import { parseState, stateTextOf } from "../state-text.ts";

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
  /** Makes no table; default false. */
  readonly isReadOnly?: boolean | undefined;
  /** How the driver is loaded; by default it is the installed package `pg`. */
  readonly loadDriver?: (() => Promise<PostgresDriver>) | undefined;
}

const table = "agentrt_agent_state";
const createTable =
  `CREATE TABLE IF NOT EXISTS ${table}(agent_name TEXT PRIMARY KEY, state JSONB NOT NULL, ` +
  "updated_at TIMESTAMPTZ NOT NULL DEFAULT now())";
const upsert =
  `INSERT INTO ${table}(agent_name, state, updated_at) VALUES($1, $2::jsonb, now()) ` +
  "ON CONFLICT(agent_name) DO UPDATE SET state = excluded.state, updated_at = now()";
const fetchRowCount = 200;
// What two processes that make the same table at the same moment may get.
const raceCodes = ["23505", "42P07", "42710"];

/** Keeps states in a table of a PostgreSQL database, over a pool of connections. Several processes may share it. */
export class PostgresStateStore implements RawStates {
  readonly #database: PostgresDatabase;
  readonly #isReadOnly: boolean;
  /** Whether the table is there. */
  #table: Promise<boolean> | undefined;

  /**
   * Nothing is connected before the first use.
   *
   * @throws AGENTRT_STATE_URL_INVALID.
   */
  constructor(options: PostgresStateStoreOptions) {
    this.#isReadOnly = options.isReadOnly === true;
    this.#database = new PostgresDatabase({
      url: options.url,
      poolSizeMin: options.poolSizeMin ?? 1,
      poolSizeMax: options.poolSizeMax ?? 10,
      timeoutMs: options.timeoutMs ?? 30_000,
      loadDriver: options.loadDriver ?? loadPostgresDriver,
    });
  }

  get label(): string {
    return this.#database.label;
  }

  async get(agent: string): Promise<JsonObject | undefined> {
    const text = await this.#read(agent, async () => {
      const sql = `SELECT state::text AS state FROM ${table} WHERE agent_name = $1`;
      const { rows } = await this.#database.run(sql, [agent]);
      return rows.map((row) => String(row["state"]))[0];
    });
    if (text === undefined) return undefined;
    return parseState(fromJsonbText(text), { agent, path: this.label });
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    await this.#write(agent, upsert, [agent, toJsonbText(stateTextOf(agent, state))]);
  }

  async delete(agent: string): Promise<void> {
    await this.#write(agent, `DELETE FROM ${table} WHERE agent_name = $1`, [agent]);
  }

  async listAgents(): Promise<string[]> {
    const names = await this.#read(undefined, async () => {
      const { rows } = await this.#database.run(`SELECT agent_name FROM ${table}`);
      return rows.map((row) => String(row["agent_name"]));
    });
    return (names ?? []).sort();
  }

  async *rows(): AsyncGenerator<StateRow> {
    // Names first, then the states some at a time: no transaction stays open while the reader takes its time.
    const names = await this.listAgents();
    for (let start = 0; start < names.length; start += fetchRowCount) {
      const some = names.slice(start, start + fetchRowCount);
      const sql = `SELECT agent_name, state::text AS state FROM ${table} WHERE agent_name = ANY($1)`;
      const rows = await this.#read(undefined, async () => {
        const result = await this.#database.run(sql, [some]);
        return result.rows;
      });
      for (const row of rows ?? [])
        yield { agent: String(row["agent_name"]), text: fromJsonbText(String(row["state"])) };
    }
  }

  async saveRows(rows: AsyncIterable<StateRow>): Promise<number> {
    await this.#requireTable();
    return await this.#open(() =>
      this.#database.transaction("BEGIN", async (run) => await this.#saveEach(rows, run)),
    );
  }

  async deleteAll(): Promise<void> {
    await this.#requireTable();
    await this.#open(() => this.#database.run(`DELETE FROM ${table}`));
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #saveEach(rows: AsyncIterable<StateRow>, run: RunSql): Promise<number> {
    let count = 0;
    for await (const { agent, text } of rows) {
      parseState(text, { agent, path: "the source" });
      try {
        await run(upsert, [agent, toJsonbText(text)]);
      } catch (cause) {
        throw this.#writeFailed(agent, cause);
      }
      count += 1;
    }
    return count;
  }

  async #write(agent: string, sql: string, values: readonly string[]): Promise<void> {
    await this.#requireTable();
    try {
      await this.#database.run(sql, values);
    } catch (cause) {
      throw this.#writeFailed(agent, cause);
    }
  }

  #writeFailed(agent: string, cause: unknown): Error {
    if (cause instanceof TableError) return cause;
    const reason = databaseReason(cause);
    return new stateErrors.WRITE_FAILED({ path: this.label, agent, reason }, { cause });
  }

  /** @returns Nothing when the table is not there and must not be made. */
  async #read<Result>(
    agent: string | undefined,
    read: () => Promise<Result>,
  ): Promise<Result | undefined> {
    if (!(await this.#requireTable())) return undefined;
    try {
      return await read();
    } catch (cause) {
      if (cause instanceof TableError) throw cause;
      const reason = databaseReason(cause);
      throw new stateErrors.READ_FAILED({ path: this.label, agent, reason }, { cause });
    }
  }

  async #requireTable(): Promise<boolean> {
    this.#table ??= this.#open(() => this.#findTable());
    try {
      const isThere = await this.#table;
      if (!isThere) this.#table = undefined;
      return isThere;
    } catch (error) {
      this.#table = undefined;
      throw error;
    }
  }

  /** Looks before it makes: a user who may write the table need not be allowed to make one. */
  async #findTable(): Promise<boolean> {
    const { rows } = await this.#database.run("SELECT to_regclass($1) IS NOT NULL AS found", [
      table,
    ]);
    if (rows[0]?.["found"] === true) return true;
    if (this.#isReadOnly) return false;
    try {
      await this.#database.run(createTable);
    } catch (error) {
      if (!raceCodes.includes(String((error as { readonly code?: unknown }).code))) throw error;
    }
    return true;
  }

  async #open<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof TableError) throw cause;
      const reason = databaseReason(cause);
      throw new stateErrors.DATABASE_FAILED({ database: this.label, reason }, { cause });
    }
  }
}
