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

/** What a group commit needs beside the database. */
export interface GroupCommitOptions {
  readonly system: Pick<System, "monotonicMs" | "setTimer" | "clearTimer" | "yieldTurn">;
  /** Longest wait of one write while another program holds the database. */
  readonly timeoutMs: number;
}

/** Most writes of one transaction: with as many it is committed at once. */
export const groupWriteCountMax = 1000;

const retryDelayMsMin = 10;
const retryDelayMsMax = 500;

interface Waiting {
  readonly agent: string;
  readonly write: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly deadlineMs: number;
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
    return new Promise((resolve, reject) => {
      const deadlineMs = system.monotonicMs() + timeoutMs;
      this.#waiting.push({ agent, write, resolve, reject, deadlineMs });
      if (this.isBlocked) return;
      if (this.#waiting.length === 1) system.yieldTurn(() => this.#commit());
      else if (this.#waiting.length >= groupWriteCountMax) this.#commit();
    });
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

  /** Settles when the writes that wait are committed, or have failed. */
  async settled(agent?: string): Promise<void> {
    const last = this.#waiting.findLast((each) => agent === undefined || each.agent === agent);
    if (last === undefined) return;
    await new Promise<void>((resolve) => {
      const index = this.#waiting.indexOf(last);
      this.#waiting[index] = {
        ...last,
        resolve: () => (last.resolve(), resolve()),
        reject: (error) => (last.reject(error), resolve()),
      };
    });
  }

  /** Gives up the timer. */
  close(): void {
    if (this.#retryTimer !== undefined) this.#options.system.clearTimer(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  #commit(): void {
    // Also without a write: then it finds out whether the database is free again.
    if (!this.isWaiting && !this.isBlocked) return;
    const group = this.#waiting.splice(0, groupWriteCountMax);
    const written: Waiting[] = [];
    const failed = new Set<Waiting>();
    try {
      this.#database.begin();
      for (const waiting of group) (this.#run(waiting, failed) ? written : failed).add?.(waiting);
      this.#database.commit();
    } catch (error) {
      this.#database.rollback();
    }
  }
}
