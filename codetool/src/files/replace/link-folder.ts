import { lstatSync, mkdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import nodeProcess from "node:process";
import { type Claim, queueUp } from "./claim.ts";
import type { EditingProcess } from "./edit-folder.ts";

/**
 * The folder in which those queue up who edit a file with several names: its names may be in different folders, each with a
 * separate queue. It is named after device and inode, and of one user: a folder that all users may write to could be used to
 * keep others waiting. Programs of different users, and those that see another `/tmp`, do not wait for each other.
 *
 * @param path Absolute, links resolved.
 * @returns `undefined` for a file with one name, or none.
 */
export function linkFolderOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined || stat.nlink < 2n || !stat.isFile()) return undefined;
  return join(linkRoot(), `${stat.dev}-${stat.ino}`);
}

/** Not where `TMPDIR` says: all programs of a user must look in one place. */
function linkRoot(): string {
  const { platform } = nodeProcess;
  const parent = platform === "win32" ? (nodeProcess.env["TEMP"] ?? "C:/Windows/Temp") : "/tmp";
  return join(parent, `codetool-edit-${nodeProcess.geteuid?.() ?? "user"}`);
}

/**
 * Queues up in the folder of a file with several names.
 *
 * @throws the system's errors; EACCES where another user has made the folder.
 */
export function queueUpForLinks(folder: string, id: string, process: EditingProcess): Claim {
  for (;;) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid } = lstatSync(linkRoot());
    if (uid !== (nodeProcess.geteuid?.() ?? uid))
      throw Object.assign(new Error(`"${linkRoot()}" is of another user`), { code: "EACCES" });
    try {
      return queueUp(folder, id, process);
    } catch (error) {
      // Whoever was last before has taken it away in between.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Takes the folder away after the last one who waited in it. */
export function clearLinkFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Others wait in it, or it is gone.
  }
}
