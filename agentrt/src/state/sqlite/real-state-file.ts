import { readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { stateErrors } from "../errors.ts";

/** As many links to links as Linux follows. */
const linkCountMax = 40;

/**
 * Finds the file that a path leads to, also one that is not there yet: what two paths of one file have in common.
 *
 * @param path Any path; its folder must be there.
 * @returns The path without links.
 * @throws What the file system says, for example that the folder is not there.
 */
export function realStateFile(path: string): string {
  let at = resolve(path);
  for (let linkCount = 0; linkCount < linkCountMax; linkCount += 1) {
    const real = join(realpathSync(dirname(at)), basename(at));
    const target = linkTargetOf(real);
    if (target === undefined) return real;
    at = resolve(dirname(real), target);
  }
  // Says it in the system's words.
  return realpathSync(path);
}

/**
 * Finds all names of a state file. SQLite's log of a file goes by its name, so a file that is written under two names at
 * once is lost.
 *
 * @param path From `realStateFile`.
 * @returns The name, and its hard links in the same folder, sorted; only the name when there is no such file.
 * @throws AGENTRT_STATE_OPEN_FAILED when it has hard links in other folders: who writes it there cannot be found.
 */
export function namesOfStateFile(path: string): readonly string[] {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile() || status.nlink === 1) return [path];
  const folder = dirname(path);
  const names = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((name) => isSameFile(name, status))
    .toSorted();
  if (names.length >= status.nlink) return names;
  const reason = `it has ${status.nlink} names (hard links), and some of them are in other folders`;
  throw new stateErrors.OPEN_FAILED({ path, reason });
}

function isSameFile(path: string, file: { readonly dev: number; readonly ino: number }): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.ino === file.ino && status.dev === file.dev;
}

function linkTargetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No link, or nothing there.
    return undefined;
  }
}
