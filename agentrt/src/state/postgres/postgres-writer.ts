import type { System, TimerHandle } from "../../core/index.ts";
import { stateErrors } from "../errors.ts";
import type { Client } from "./driver-types.ts";
import {
  connectionOptions,
  isAway,
  isConnectionLost,
  openDriver,
  type PostgresAddress,
} from "./postgres-driver.ts";
import { makeTable, type RunSql, stateTable } from "./state-table.ts";
import { takeWriterLock } from "./writer-lock.ts";

/** What writing takes. */
export interface PostgresWriterOptions extends PostgresAddress {
  readonly label: string;
  readonly system: System;
}

interface PendingWrite extends PromiseWithResolvers<void> {
  readonly agent: string;
  /** Text for the column; undefined deletes the row. */
  readonly text: string | undefined;
  readonly deadlineMs: number;
}

const batchLengthMax = 200;
const delayMsMin = 50;
const delayMsMax = 1000;
const upsert =
  `INSERT INTO ${stateTable}(agent_name, state, updated_at) ` +
  "SELECT agent, text::jsonb, now() FROM unnest($1::text[], $2::text[]) AS given(agent, text) " +
  "ON CONFLICT(agent_name) DO UPDATE SET state = excluded.state, updated_at = now()";

/**
 * The one connection that writes the table of states. It holds the lock of the writer, and every write goes over it: a
 * connection that is lost takes its lock and its unfinished write along, and nothing is written before there is a new
 * one with the lock. What waits is written in order, several states in one statement. While the server is away all of
 * it waits, and one loop tries to connect.
 */
export class PostgresWriter {
  readonly #options: PostgresWriterOptions;
  readonly #queue: PendingWrite[] = [];
  #client: Client | undefined;
  #opening: Promise<Client> | undefined;
  /** True once it had the lock: from then on a server that is away is waited for. */
  #hasOpened = false;
  #isClosed = false;
  /** What kept it from writing last. */
  #failure: unknown;
  #work: Promise<void> | undefined;
  #pause: { readonly timer: TimerHandle; readonly end: () => void } | undefined;

  constructor(options: PostgresWriterOptions) {
    this.#options = options;
  }

  /** True while a connection that was lost is not replaced. */
  get isLost(): boolean {
    return this.#hasOpened && this.#client === undefined && !this.#isClosed;
  }

  /** True once it had the lock. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** What kept it from writing last. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Connects, makes the table when it is not there, and takes the lock.
   *
   * @throws AGENTRT_STATE_LOCKED, AGENTRT_STATE_DRIVER_MISSING, AGENTRT_STATE_CLOSED; what the driver throws.
   */
  async open(): Promise<Client> {
    if (this.#isClosed) throw new stateErrors.CLOSED({ path: this.#options.label });
    if (this.#client !== undefined) return this.#client;
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return await this.#opening;
  }

  /**
   * Saves a state, or forgets it.
   *
   * @throws As `open`, at once while it was never open; what the driver throws.
   */
  async write(agent: string, text: string | undefined): Promise<void> {
    if (!this.#hasOpened) await this.open();
    if (this.#isClosed) throw new stateErrors.CLOSED({ path: this.#options.label });
    const deadlineMs = this.#options.system.monotonicMs() + this.#options.timeoutMs;
    const pending = { ...Promise.withResolvers<void>(), agent, text, deadlineMs };
    this.#queue.push(pending);
    this.#begin();
    await pending.promise;
  }

  /** Runs statements in one transaction, with no other write in between: it is undone when `work` fails. */
  async transaction<Result>(work: (run: RunSql) => Promise<Result>): Promise<Result> {
    const client = await this.open();
    while (this.#work !== undefined) await this.#work;
    const done = this.#transact(client, work);
    this.#work = done.then(
      () => this.#end(),
      () => this.#end(),
    );
    return await done;
  }

  /** Writes what waits, if the server is there, and gives the lock back; twice is harmless. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pause?.end();
    await this.#work;
    await this.#opening?.catch(() => undefined);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  async #connect(): Promise<Client> {
    const { Client: DriverClient } = await openDriver(this.#options.loadDriver);
    const client = new DriverClient(connectionOptions(this.#options));
    const drop = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#failure = new Error("Connection terminated");
      this.#begin();
    };
    client.on("error", drop);
    client.on("end", drop);
    await client.connect();
    try {
      const run: RunSql = (sql, values) => client.query(sql, values);
      await makeTable(run);
      await takeWriterLock(run, this.#options);
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
    this.#client = client;
    this.#hasOpened = true;
    return client;
  }

  #begin(): void {
    this.#work ??= this.#serve().then(() => this.#end());
  }

  #end(): void {
    this.#work = undefined;
    if (this.#queue.length > 0 || this.isLost) this.#begin();
  }

  /** Writes until nothing waits and the connection is there. */
  async #serve(): Promise<void> {
    let delayMs = delayMsMin;
    while (this.#queue.length > 0 || this.isLost) {
      this.#expire();
      try {
        const client = this.#client ?? (await this.open());
        await this.#writeSome(client);
        delayMs = delayMsMin;
      } catch (error) {
        this.#failure = error;
        if (this.#isClosed) return this.#rejectAll(error);
        await this.#wait(delayMs);
        delayMs = Math.min(2 * delayMs, delayMsMax);
      }
    }
  }

  /** @throws What says that the server is away: then what was to be written still waits. */
  async #writeSome(client: Client): Promise<void> {
    const batch = this.#nextBatch();
    if (batch.length === 0) return;
    try {
      await save(client, batch);
    } catch (error) {
      if (isConnectionLost(error)) {
        if (this.#client === client) this.#client = undefined;
        client.connection.stream.destroy();
      }
      if (isAway(error)) throw error;
      // One of them is refused; alone, each has its own answer.
      for (const each of batch) await saveAlone(client, each);
    }
    this.#failure = undefined;
    this.#queue.splice(0, batch.length);
    for (const { resolve } of batch) resolve();
  }

  /** The first that waits, and as many behind it as one statement can save: each agent once, and no deletion. */
  #nextBatch(): readonly PendingWrite[] {
    const batch: PendingWrite[] = [];
    const agents = new Set<string>();
    for (const pending of this.#queue) {
      const isAlone = pending.text === undefined;
      if (batch.length > 0 && (isAlone || agents.has(pending.agent))) break;
      batch.push(pending);
      agents.add(pending.agent);
      if (isAlone || batch.length >= batchLengthMax) break;
    }
    return batch;
  }

  #expire(): void {
    const nowMs = this.#options.system.monotonicMs();
    for (let index = this.#queue.length - 1; index >= 0; index -= 1) {
      const pending = this.#queue[index];
      if (pending === undefined || pending.deadlineMs > nowMs) continue;
      this.#queue.splice(index, 1);
      pending.reject(this.#failure ?? new Error("timeout exceeded before its turn"));
    }
  }

  #rejectAll(error: unknown): void {
    for (const { reject } of this.#queue.splice(0)) reject(error);
  }

  async #wait(delayMs: number): Promise<void> {
    const { system } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = system.setTimer(delayMs, resolve);
      const end = (): void => {
        system.clearTimer(timer);
        resolve();
      };
      this.#pause = { timer, end };
    });
    this.#pause = undefined;
  }

  async #transact<Result>(client: Client, work: (run: RunSql) => Promise<Result>): Promise<Result> {
    await client.query("BEGIN");
    try {
      const result = await work((sql, values) => client.query(sql, values));
      await client.query("COMMIT");
      return result;
    } catch (error) {
      // A connection that is gone took its transaction along.
      await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }
}

async function save(client: Client, batch: readonly PendingWrite[]): Promise<void> {
  const [first] = batch;
  if (first?.text === undefined) {
    await client.query(`DELETE FROM ${stateTable} WHERE agent_name = $1`, [first?.agent]);
    return;
  }
  await client.query(upsert, [batch.map(({ agent }) => agent), batch.map(({ text }) => text)]);
}

async function saveAlone(client: Client, pending: PendingWrite): Promise<void> {
  try {
    await save(client, [pending]);
  } catch (error) {
    if (isAway(error)) throw error;
    pending.reject(error);
  }
}
