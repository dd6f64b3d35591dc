import type { System, TimerHandle } from "../../core/index.ts";

/** The transactions of a database, as a group commit needs them. */
export interface GroupDatabase {
  begin(): void;
  commit(): void;
  /** Undoes the transaction at hand; nothing when the database has undone it already. */
  rollback(): void;
  /** False when a failure has undone the transaction at hand. */
  readonly isInTransaction: boolean;
  /** Says whether an error means that another program holds the database at the moment. */
  isBusy(error: unknown): boolean;
}

/** What a group commit needs next to the database. */
export interface GroupCommitOptions {
  readonly system: Pick<System, "monotonicMs" | "setTimer" | "clearTimer" | "yieldTurn">;
  /** Longest wait of one write while another program holds the database. */
  readonly timeoutMs: number;
}

/** Most writes of one transaction: with as many it is committed at once. */
export const groupWriteCountMax = 1000;

const retryDelayMsMin = 10;
const retryDelayMsMax = 500;

interface Waiting extends PromiseWithResolvers<void> {
  readonly agent: string;
  readonly write: () => void;
  readonly deadlineMs: number;
  /** True when it failed by itself: it is not tried again with the others. */
  isRefused: boolean;
}

/**
 * Writes that share one commit: those that are asked for in one turn of the event loop go into one transaction, so that
 * the disk is waited for once and not once each. Each settles after the commit, in the order in which it was asked
 * for; one that fails by itself does not take the others with it.
 *
 * While another program holds the database, all of them wait in one queue, and one timer tries again for all. Nothing
 * else of the process waits.
 */
export class GroupCommit {
  readonly #database: GroupDatabase;
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];
  /** What the database said when it was held by another program last; undefined when it is free. */
  #busyError: unknown;
  #retryTimer: TimerHandle | undefined;
  #retryDelayMs = retryDelayMsMin;

  /**
   * @param database Where they go.
   * @param options Turns and timers, and how long a write waits at most.
   */
  constructor(database: GroupDatabase, options: GroupCommitOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** True while another program holds the database. */
  get isBlocked(): boolean {
    return this.#busyError !== undefined;
  }

  /** True when writes wait: a further one goes behind them. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Adds a write.
   *
   * @param agent Whose state it writes.
   * @param write Does it, in the transaction. It may be called again after the database was held.
   * @returns Settles when it is committed.
   * @throws What the write throws, or what kept its transaction from being committed.
   */
  add(agent: string, write: () => void): Promise<void> {
    const { system, timeoutMs } = this.#options;
    const deadlineMs = system.monotonicMs() + timeoutMs;
    const waiting = {
      ...Promise.withResolvers<void>(),
      agent,
      write,
      deadlineMs,
      isRefused: false,
    };
    this.#waiting.push(waiting);
    if (this.isBlocked) return waiting.promise;
    if (this.#waiting.length === 1) system.yieldTurn(() => this.#commit());
    else if (this.#waiting.length >= groupWriteCountMax) this.#commit();
    return waiting.promise;
  }

  /** Says that the database is held by another program: from now on writes wait, and a timer tries again. */
  block(error: unknown): void {
    this.#busyError = error;
    if (this.#retryTimer !== undefined) return;
    const { system } = this.#options;
    this.#retryTimer = system.setTimer(this.#retryDelayMs, () => {
      this.#retryTimer = undefined;
      this.#commit();
    });
    this.#retryDelayMs = Math.min(2 * this.#retryDelayMs, retryDelayMsMax);
  }

  /** Commits what waits, now, unless another program holds the database. */
  flush(): void {
    while (this.isWaiting && !this.isBlocked) this.#commit();
  }

  /** Settles when the writes that wait, or those of one agent, are committed or have failed. */
  async settled(agent?: string): Promise<void> {
    const last = this.#waiting.findLast((each) => agent === undefined || each.agent === agent);
    await last?.promise.catch(() => undefined);
  }

  /** Gives up the timer. */
  close(): void {
    if (this.#retryTimer !== undefined) this.#options.system.clearTimer(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  /** Also without a write while the database is held: then it finds out whether it is free again. */
  #commit(): void {
    if (!this.isWaiting && !this.isBlocked) return;
    const group = this.#waiting.splice(0, groupWriteCountMax);
    try {
      this.#database.begin();
      for (const waiting of group) this.#run(waiting);
      this.#database.commit();
    } catch (error) {
      this.#database.rollback();
      if (this.#database.isBusy(error)) return this.#hold(group, error);
      for (const { reject } of group) reject(error);
    }
    this.#free();
    // Who was refused already ignores it.
    for (const { resolve } of group) resolve();
    if (this.isWaiting) this.#options.system.yieldTurn(() => this.#commit());
  }

  /** Puts a group back to the head of the queue, without those that have waited too long. */
  #hold(group: readonly Waiting[], error: unknown): void {
    const nowMs = this.#options.system.monotonicMs();
    const waiting = [...group.filter((each) => !each.isRefused), ...this.#waiting];
    this.#waiting = waiting.filter((each) => each.deadlineMs > nowMs);
    for (const each of waiting) if (each.deadlineMs <= nowMs) each.reject(error);
    this.block(error);
  }

  #free(): void {
    this.#busyError = undefined;
    this.#retryDelayMs = retryDelayMsMin;
    this.close();
  }

  #run(waiting: Waiting): void {
    try {
      waiting.write();
    } catch (error) {
      // A full disk undoes the whole transaction: then none of the others is saved either.
      if (!this.#database.isInTransaction || this.#database.isBusy(error)) throw error;
      waiting.isRefused = true;
      waiting.reject(error);
    }
  }
}
