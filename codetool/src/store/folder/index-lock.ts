import { closeSync, linkSync, openSync, readdirSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readOwnFile, removeAny } from "../own-files.ts";

/** Holds the right to write an index. */
export interface IndexLock {
  /** The process that took it over, 0 if it names none: then everything written is given up. */
  takenBy(): number | undefined;
  /** Gives it back. */
  release(): void;
}

/** A process that writes, and how it checks other processes. */
export interface WriterProcess {
  readonly id: number;
  /** A mark that distinguishes it from an earlier or later process with the same id; default none. */
  readonly mark?: string;
  /** Whether a process lives that has the id and, where one is given, the mark. */
  readonly isAlive: (id: number, mark: string) => boolean;
}

interface Holder {
  /** 0 for a lock that names nobody. */
  readonly id: number;
  readonly mark: string;
}

/** Tries to take over a lock that seems stale, before it counts as held. */
const takeOverAttemptsMax = 4;

/**
 * Takes the right to write an index: a file `lock` in its folder that names the process. A lock whose process is gone is
 * taken over.
 *
 * The lock appears together with its content, by a hard link: no process ever sees an empty lock.
 *
 * @param directory Of the index; exists.
 * @returns The lock, or the id of the process that holds it.
 */
export function lockIndex(
  directory: string,
  process: WriterProcess,
): IndexLock | { readonly holder: number } {
  const path = join(directory, "lock");
  const { id, mark = "" } = process;
  const isOurs = (holder: Holder): boolean => holder.id === id && holder.mark === mark;
  for (let attempt = 1; ; attempt += 1) {
    if (createLock(path, `${id} ${mark}`.trimEnd())) {
      clearLeftovers(directory, process);
      return {
        takenBy: () => {
          const holder = readHolder(path);
          return isOurs(holder) ? undefined : holder.id;
        },
        release: () => {
          if (isOurs(readHolder(path))) removeAny(path);
        },
      };
    }
    const holder = readHolder(path);
    // Without marks, a lock with our id was left by a process that had it before us.
    const isHeld = holder.id === id ? mark !== "" && isOurs(holder) : isAlive(holder, process);
    if (isHeld || attempt === takeOverAttemptsMax) return { holder: holder.id };
    takeAway(path, holder, id);
  }
}

/** Removes temporary files of processes that were killed while they made the lock. */
function clearLeftovers(directory: string, process: WriterProcess): void {
  for (const name of readdirSync(directory)) {
    const id = Number(/^lock\.(\d+)(?:\.stale)?$/.exec(name)?.[1]);
    if (id > 0 && !process.isAlive(id, "")) removeAny(join(directory, name));
  }
}

function isAlive({ id, mark }: Holder, process: WriterProcess): boolean {
  return id !== 0 && process.isAlive(id, mark);
}

/** Makes the lock, complete from its first moment on; false if there already is one. */
function createLock(path: string, content: string): boolean {
  const own = `${path}.${content.split(" ")[0] ?? ""}`;
  removeAny(own);
  writeNew(own, content);
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // A file system without hard links.
    return createWithoutLink(path, content);
  } finally {
    removeAny(own);
  }
}

function createWithoutLink(path: string, content: string): boolean {
  try {
    writeNew(path, content);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function writeNew(path: string, content: string): void {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    writeSync(descriptor, `${content}\n`);
  } catch (error) {
    // The disk is full: there is no room even for the lock.
    removeAny(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Removes a stale lock. If two processes find it stale, one renames it, and the other may rename the new lock that the
 * first then made: that one is put back; if that is too late, its holder notices that it is gone.
 */
function takeAway(path: string, stale: Holder, id: number): void {
  const aside = `${path}.${id}.stale`;
  removeAny(aside);
  try {
    renameSync(path, aside);
  } catch {
    // The other was faster.
    return;
  }
  const taken = readHolder(aside);
  try {
    if (taken.id !== stale.id || taken.mark !== stale.mark) linkSync(aside, path);
  } catch {
    // A third made a lock meanwhile.
  } finally {
    removeAny(aside);
  }
}

function readHolder(path: string): Holder {
  try {
    const [id = "", mark = ""] = readOwnFile(path).trim().split(" ");
    return { id: Number.parseInt(id, 10) || 0, mark };
  } catch {
    return { id: 0, mark: "" };
  }
}
