import type { Pool, PoolClient, QueryResult } from "pg";
import { reasonOf } from "../../core/index.ts";
import { stateErrors } from "../errors.ts";

/** The driver as far as it is used. */
export interface PostgresDriver {
  readonly Pool: typeof Pool;
}

/** How many connections are kept, and how long anything may take. */
export interface PostgresDatabaseOptions {
  readonly url: string;
  readonly poolSizeMin: number;
  readonly poolSizeMax: number;
  readonly timeoutMs: number;
  readonly loadDriver: () => Promise<PostgresDriver>;
}

/** Runs one statement. */
export type RunSql = (sql: string, values?: readonly unknown[]) => Promise<QueryResult>;

const installCommand = "npm install pg@8.23.0";
const reasons: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing answers at that address",
  ECONNRESET: "the connection was lost",
  ENOTFOUND: "its host is not known",
  ETIMEDOUT: "it did not answer in time",
};

/** Loads the driver; it is installed only by those who want it. */
export async function loadPostgresDriver(): Promise<PostgresDriver> {
  return await import("pg");
}

/**
 * Says what went wrong with a database in words that hold no password.
 *
 * @param error What the driver threw.
 */
export function databaseReason(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return (typeof code === "string" ? reasons[code] : undefined) ?? reasonOf(error);
}

/** A pool of connections that is opened by the first statement, and outlives the loss of any of them. */
export class PostgresDatabase {
  /** The URL without password and parameters. */
  readonly label: string;
  readonly #options: PostgresDatabaseOptions;
  #pool: Promise<Pool> | undefined;
  #isClosed = false;

  /** @throws AGENTRT_STATE_URL_INVALID. */
  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
    this.label = labelOf(options.url);
  }

  /**
   * Runs a statement that may be run twice: once more when the connection it was sent over had died.
   *
   * @throws What the driver throws; AGENTRT_STATE_DRIVER_MISSING, AGENTRT_STATE_CLOSED.
   */
  async run(sql: string, values: readonly unknown[] = []): Promise<QueryResult> {
    const pool = await this.#open();
    try {
      return await pool.query(sql, values);
    } catch (error) {
      if (!isConnectionLost(error) || this.#isClosed) throw error;
      return await pool.query(sql, values);
    }
  }

  /**
   * Runs statements on one connection inside a transaction: it is undone when `work` fails.
   *
   * @param begin For example `BEGIN`.
   * @param work Gets the connection's `run`.
   */
  async transaction<Result>(
    begin: string,
    work: (run: RunSql) => Promise<Result>,
  ): Promise<Result> {
    const client = await (await this.#open()).connect();
    // A connection that is lost while nothing runs on it would end the process otherwise.
    const onError = (): void => undefined;
    client.on("error", onError);
    let isBroken = true;
    try {
      await client.query(begin);
      const result = await work((sql, values) => client.query(sql, values));
      await client.query("COMMIT");
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = !(await isRolledBack(client));
      throw error;
    } finally {
      client.off("error", onError);
      client.release(isBroken);
    }
  }

  /** Ends all connections; twice is harmless. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.end();
  }

  async #open(): Promise<Pool> {
    if (this.#isClosed) throw new stateErrors.CLOSED({ path: this.label });
    this.#pool ??= this.#createPool();
    return await this.#pool;
  }

  async #createPool(): Promise<Pool> {
    const { url, poolSizeMin, poolSizeMax, timeoutMs, loadDriver } = this.#options;
    let driver: PostgresDriver;
    try {
      driver = await loadDriver();
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
      throw new stateErrors.DRIVER_MISSING({ install: installCommand }, { cause });
    }
    const pool = new driver.Pool({
      connectionString: url,
      min: poolSizeMin,
      max: poolSizeMax,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      // The server gives up first: a write that we took for failed must not come into force later, behind a newer one.
      statement_timeout: Math.ceil(0.9 * timeoutMs),
      application_name: "agentrt",
    });
    // An idle connection that is lost is replaced by the next statement.
    pool.on("error", () => undefined);
    return pool;
  }
}

async function isRolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query("ROLLBACK");
    return true;
  } catch {
    // The connection is gone, and its transaction with it.
    return false;
  }
}

/** Class 08 and 57P0x are the server's own ways to say it; the rest are the socket's and the driver's. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === "string" && /^(?:08|57P0[1-3]|ECONNRESET$|EPIPE$)/.test(code)) return true;
  return /^(?:Connection terminated|Client has encountered a connection error)/.test(error.message);
}

function labelOf(text: string): string {
  const refuse = (reason: string): never => {
    throw new stateErrors.URL_INVALID({ reason });
  };
  const url = URL.parse(text);
  if (url === null) return refuse("it cannot be read as a URL");
  if (url.protocol !== "postgresql:" && url.protocol !== "postgres:")
    refuse("it does not begin with postgresql://");
  const user = url.username === "" ? "" : `${url.username}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}`;
}
