/** The transactions of a database, as a group commit needs them. */
export interface GroupDatabase {
  begin(): void;
  commit(): void;
  /** Undoes the transaction at hand; nothing when the database has undone it already. */
  rollback(): void;
  /** False when a failure has undone the transaction at hand. */
  readonly isInTransaction: boolean;
}

/** Most writes of one transaction: with as many it is committed at once. */
export const groupWriteCountMax = 1000;

interface Waiting {
  readonly write: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes that share one commit: those that are asked for in one turn of the event loop go into one transaction, so that
 * the disk is waited for once and not once each. Each settles after the commit, in the order in which it was asked
 * for; one that fails by itself does not take the others with it.
 */
export class GroupCommit {
  readonly #database: GroupDatabase;
  readonly #later: (callback: () => void) => void;
  #waiting: Waiting[] = [];

  /**
   * @param database Where they go.
   * @param later Runs a callback in a later turn of the event loop.
   */
  constructor(database: GroupDatabase, later: (callback: () => void) => void) {
    this.#database = database;
    this.#later = later;
  }

  /**
   * Adds a write.
   *
   * @param write Does it, in the transaction.
   * @returns Settles when it is committed.
   * @throws What the write throws, or what kept its transaction from being committed.
   */
  add(write: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (this.#waiting.length === 1) this.#later(() => this.flush());
      else if (this.#waiting.length >= groupWriteCountMax) this.flush();
    });
  }

  /** Commits what waits, now. */
  flush(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    const written: Waiting[] = [];
    try {
      this.#database.begin();
      for (const waiting of group) if (this.#run(waiting)) written.push(waiting);
      this.#database.commit();
    } catch (error) {
      this.#database.rollback();
      // Who was refused already ignores it.
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { resolve } of written) resolve();
  }

  #run({ write, reject }: Waiting): boolean {
    try {
      write();
      return true;
    } catch (error) {
      // A full disk undoes the whole transaction: then none of the others is saved either.
      if (!this.#database.isInTransaction) throw error;
      reject(error);
      return false;
    }
  }
}
