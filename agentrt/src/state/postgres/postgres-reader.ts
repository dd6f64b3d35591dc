import type { System } from "../../core/index.ts";
import { stateErrors } from "../errors.ts";
import type { Pool, QueryResult } from "./driver-types.ts";
import {
  connectionOptions,
  isConnectionLost,
  openDriver,
  type PostgresAddress,
} from "./postgres-driver.ts";

/** What reading takes. */
export interface PostgresReaderOptions extends PostgresAddress {
  readonly label: string;
  readonly poolSizeMin: number;
  readonly poolSizeMax: number;
  readonly system: System;
}

const delayMsMin = 50;
const delayMsMax = 1000;

/** A pool of connections that is opened by the first statement, and outlives the loss of any of them. */
export class PostgresReader {
  readonly #options: PostgresReaderOptions;
  #pool: Promise<Pool> | undefined;
  /** True once a statement succeeded: from then on a server that is away is waited for. */
  #hasRun = false;
  #isClosed = false;

  constructor(options: PostgresReaderOptions) {
    this.#options = options;
  }

  /**
   * Runs a statement that may be run twice; it is tried again while the server is away, until the time is over.
   *
   * @throws What the driver throws; AGENTRT_STATE_DRIVER_MISSING, AGENTRT_STATE_CLOSED.
   */
  async run(sql: string, values: readonly unknown[] = []): Promise<QueryResult> {
    const { system, timeoutMs } = this.#options;
    const deadlineMs = system.monotonicMs() + timeoutMs;
    for (let delayMs = delayMsMin; ; delayMs = Math.min(2 * delayMs, delayMsMax)) {
      const pool = await this.#open();
      try {
        const result = await pool.query(sql, values);
        this.#hasRun = true;
        return result;
      } catch (error) {
        const isLate = system.monotonicMs() + delayMs >= deadlineMs;
        if (!this.#hasRun || this.#isClosed || isLate || !isConnectionLost(error)) throw error;
      }
      await new Promise<void>((resolve) => system.setTimer(delayMs, resolve));
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
    if (this.#isClosed) throw new stateErrors.CLOSED({ path: this.#options.label });
    this.#pool ??= this.#createPool();
    return await this.#pool;
  }

  async #createPool(): Promise<Pool> {
    const { loadDriver, poolSizeMin, poolSizeMax } = this.#options;
    const { Pool: DriverPool, Client } = await openDriver(loadDriver);
    const size = { min: poolSizeMin, max: poolSizeMax };
    const pool = new DriverPool({ ...connectionOptions(this.#options), ...size, Client });
    // An idle connection that is lost is replaced by the next statement.
    pool.on("error", () => undefined);
    return pool;
  }
}
