import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** The folder next to edited files that holds what an edit needs until it is done. */
export const editFolderName = ".codetool-edit";

/** A process that edits files, and what it knows of others. */
export interface EditingProcess {
  readonly id: number;
  /** What tells it from an earlier or later process with the same id; digits, or empty. */
  readonly mark: string;
  /** Whether a process lives that has the id and the mark. */
  readonly isAlive: (id: number, mark: string) => boolean;
}

/**
 * What an edit has in an edit folder, by its ending: `claim` is its place in the queue, `set` the journal of a set of
 * files, `at` says where that journal is, `part` is one of these half written; `new` and `old` are folders with contents.
 */
export type EditPart = "claim" | "set" | "at" | "part" | "new" | "old";

const partName = /^((\d+)-(\d*)-\d+)\.(claim|set|at|part|new|old)$/;

/** Path of the edit folder in a folder. */
export function editFolderOf(folder: string): string {
  return join(folder, editFolderName);
}

/**
 * Makes a file in the edit folder of a folder, and that one too where it is missing. It has the rights of the folder:
 * who may edit there may wait there.
 *
 * @throws the system's errors; EEXIST where something has the name.
 */
export function createInEditFolder(folder: string, name: string): void {
  const editFolder = editFolderOf(folder);
  for (;;) {
    try {
      requireNoLink(editFolder);
      writeFileSync(join(editFolder, name), "", { flag: "wx", mode: 0o644 });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    // It may be taken away by another process before the file is in it: then once more.
    makeEditFolder(folder, editFolder);
  }
}

/** A link would lead the edit to write elsewhere. */
function requireNoLink(editFolder: string): void {
  if (lstatSync(editFolder).isDirectory()) return;
  throw Object.assign(new Error(`"${editFolder}" is not a folder`), { code: "EACCES" });
}

function makeEditFolder(folder: string, editFolder: string): void {
  const { mode } = statSync(folder);
  try {
    mkdirSync(editFolder);
    chmodSync(editFolder, mode & 0o777);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && lstatSync(editFolder).isDirectory()) return;
    // Taken away between the two calls.
    if (code !== "ENOENT" || statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

/** The edits that have something in a folder's edit folder, by their ids, and the endings of what they have. */
export function editsIn(folder: string): ReadonlyMap<string, ReadonlySet<EditPart>> {
  const edits = new Map<string, Set<EditPart>>();
  for (const name of namesIn(editFolderOf(folder))) {
    const [, id = "", , , part] = partName.exec(name) ?? [];
    if (part === undefined) continue;
    const parts = edits.get(id) ?? new Set<EditPart>();
    edits.set(id, parts.add(part as EditPart));
  }
  return edits;
}

/** Whether the process of an edit lives. */
export function isEditAlive(id: string, process: EditingProcess): boolean {
  const [processId = "", mark = ""] = id.split("-");
  const isOurs = Number(processId) === process.id && mark === process.mark;
  return isOurs || process.isAlive(Number(processId), mark);
}

/** Takes away what an edit has in a folder, and the edit folder after the last one. */
export function clearEdit(folder: string, id: string): void {
  const editFolder = editFolderOf(folder);
  for (const part of editsIn(folder).get(id) ?? [])
    rmSync(join(editFolder, `${id}.${part}`), { recursive: true, force: true });
  clearEditFolder(folder);
}

/** Takes the edit folder of a folder away, if no edit is in it: a killed process may leave it empty. */
export function clearEditFolder(folder: string): void {
  try {
    rmdirSync(editFolderOf(folder));
  } catch {
    // An edit is in it, or it is gone.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    // A link would lead out of the tree.
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
