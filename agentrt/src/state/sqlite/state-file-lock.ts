import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { reasonOf } from "../../core/index.ts";
import { openFailed, stateErrors } from "../errors.ts";
import { namesOfStateFile } from "./real-state-file.ts";

/** SQLITE_BUSY: somebody else holds the file. */
const busyCode = 5;

/**
 * How long a statement waits for others, milliseconds. Of several processes that come at the same moment all hold the
 * file for an instant: to look who has it, to write their name. Without a wait each could refuse for another's sake.
 */
const waitMs = 500;

/** The right to write one state file. */
export interface StateFileLock {
  /** Gives it back; twice is harmless. */
  release(): void;
}

/**
 * Takes the right to write a state file: for this process only, or together with others that want it so. It is a write transaction held open on a small database next to the file, so
 * the operating system gives it back when the process dies, however it dies; the holder's process id stays readable.
 * A file that another process holds, under this name or another one, is refused after half a second.
 *
 * @param path The state file, from `realStateFile`; it need not be there.
 * @param isShared True when other processes may write it, too, that say the same. Then it is a read transaction.
 * @returns The lock.
 * @throws AGENTRT_STATE_LOCKED naming the holder; AGENTRT_STATE_OPEN_FAILED when the lock file cannot be made.
 */
export function lockStateFile(path: string, isShared = false): StateFileLock {
  const held: DatabaseSync[] = [];
  const release = (): void => {
    for (const database of held) if (database.isOpen) database.close();
  };
  try {
    // In one order for all processes, so that of several one gets all of them.
    for (const name of namesOfStateFile(path)) held.push(hold(name, path, isShared));
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

/** @param name A name of the file. @param path The name that messages give. */
function hold(name: string, path: string, isShared: boolean): DatabaseSync {
  const lockPath = lockPathOf(name);
  let database: DatabaseSync;
  try {
    makePrivate(lockPath);
    database = new DatabaseSync(lockPath, { timeout: waitMs });
  } catch (error) {
    throw openFailed(path, error);
  }
  try {
    database.exec("BEGIN IMMEDIATE");
    // Of several that share it, none but the first can write its name.
    if (isShared && hasHolder(database)) database.exec("ROLLBACK");
    else {
      database.exec("CREATE TABLE IF NOT EXISTS holder(process_id INTEGER NOT NULL)");
      database.exec("DELETE FROM holder");
      database.prepare("INSERT INTO holder VALUES(?)").run(process.pid);
      database.exec("COMMIT");
    }
    database.exec(isShared ? "BEGIN" : "BEGIN IMMEDIATE");
    if (isShared) readHolder(database);
    return database;
  } catch (error) {
    const holder = `process ${readHolder(database) ?? "unknown"}`;
    database.close();
    if ((error as { errcode?: number }).errcode !== busyCode) {
      const reason = `its lock file "${lockPath}" cannot be used: ${reasonOf(error)}`;
      throw new stateErrors.OPEN_FAILED({ path, reason }, { cause: error });
    }
    throw new stateErrors.LOCKED({ path, holder }, { cause: error });
  }
}

/**
 * Names the lock file of a state file.
 *
 * @param path The state file.
 * @returns The file next to it.
 */
export function lockPathOf(path: string): string {
  return `${path}.lock`;
}

/**
 * Makes a file that only its owner can read, or makes an existing one so.
 *
 * @param path The file. One that exists is never opened here: closing it would give back every lock that this
 *   process holds on it (POSIX), also those of SQLite.
 */
export function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

function hasHolder(database: DatabaseSync): boolean {
  return database.prepare("PRAGMA table_info(holder)").all().length > 0;
}

function readHolder(database: DatabaseSync): number | undefined {
  try {
    const row = database.prepare("SELECT process_id FROM holder").get();
    return row === undefined ? undefined : Number(row["process_id"]);
  } catch {
    // The holder has not written its name yet.
    return undefined;
  }
}
