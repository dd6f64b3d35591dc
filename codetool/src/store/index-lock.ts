import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Holds the right to write an index. */
export interface IndexLock {
  /** Gives it back. */
  release(): void;
}

/**
 * Takes the right to write an index: `lock` in its folder, with the process that holds it. One whose process is gone is
 * taken over.
 *
 * @param directory Of the index; exists.
 * @param process Its id, and whether another process lives.
 * @returns The lock, or the id of the process that holds it.
 */
export function lockIndex(
  directory: string,
  process: { readonly id: number; readonly isAlive: (id: number) => boolean },
): IndexLock | { readonly holder: number } {
  const path = join(directory, "lock");
  for (let attempt = 0; ; attempt += 1) {
    try {
      const descriptor = openSync(path, "wx", 0o600);
      try {
        writeSync(descriptor, `${process.id}\n`);
      } finally {
        closeSync(descriptor);
      }
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
    const holder = readHolder(path);
    if (attempt === 3 || (holder !== 0 && holder !== process.id && process.isAlive(holder)))
      return { holder };
    // Two that find it stale: the rename of one fails, and it tries again to be the first to make a new one.
    const stale = `${path}.${process.id}`;
    try {
      renameSync(path, stale);
    } catch {
      continue;
    }
    if (readHolder(stale) === holder) rmSync(stale, { force: true });
    else renameSync(stale, path);
  }
}

function readHolder(path: string): number {
  try {
    return Number.parseInt(readFileSync(path, "utf8"), 10) || 0;
  } catch {
    return 0;
  }
}
