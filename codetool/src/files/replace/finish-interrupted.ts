import { existsSync, readFileSync, realpathSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Claim, queueUp } from "./claim.ts";
import {
  clearEdit,
  clearEditFolder,
  editFolderOf,
  editsIn,
  type EditingProcess,
  isEditAlive,
} from "./edit-folder.ts";
import {
  isAsBefore,
  journalHome,
  type JournalEntry,
  readJournal,
  stagedContent,
} from "./journal.ts";
import { newEditId } from "./new-edit-id.ts";
import { contentFolder, writeInto } from "./stage.ts";
import { syncDirectory } from "./sync-directory.ts";

/**
 * Finishes or undoes what killed processes have left in a folder. A set of files whose journal was written is finished, in
 * all of its folders; one without a journal is undone, by taking away what was staged.
 *
 * It waits for nobody: where another process is editing, that one sees to it. A file that somebody else has written to
 * since is left as it is.
 *
 * @param folder Absolute.
 * @returns False where something is left to do, because another process is at it or this one may not.
 */
export function finishInterrupted(folder: string, process: EditingProcess): boolean {
  if (!existsSync(editFolderOf(folder))) return true;
  try {
    const realFolder = realpathSync(folder);
    for (const id of editsIn(realFolder).keys()) {
      if (isEditAlive(id, process)) continue;
      if (!finishOne(realFolder, id, process)) return false;
    }
    clearEditFolder(realFolder);
    return true;
  } catch {
    // Read-only, or of another user: what is there is read as it is.
    return false;
  }
}

/** Whether a killed process has left the journal of a set in a folder. */
export function isInterrupted(folder: string, process: EditingProcess): boolean {
  return [...editsIn(folder)].some(
    ([id, parts]) => (parts.has("set") || parts.has("at")) && !isEditAlive(id, process),
  );
}

function finishOne(folder: string, id: string, process: EditingProcess): boolean {
  const home = journalHome(folder, id);
  const known = home === undefined ? undefined : readJournal(home, id);
  if (home === undefined || known === undefined) {
    clearEdit(folder, id);
    return true;
  }
  const folders = [...new Set([home, ...known.map(({ path }) => dirname(path))])].filter((each) =>
    existsSync(editFolderOf(each)),
  );
  const own = newEditId(process);
  try {
    const claims: Claim[] = folders.map((each) => queueUp(each, own, process));
    if (!claims.every((claim) => claim.isFirst())) return false;
    // Another process may have finished it before the claims were first.
    for (const entry of readJournal(home, id) ?? []) finishEntry(entry, id);
    for (const each of folders) syncDirectory(each);
    for (const each of folders) clearEdit(each, id);
    return true;
  } finally {
    for (const each of folders) clearEdit(each, own);
  }
}

function finishEntry(entry: JournalEntry, id: string): void {
  const { path, isInPlace } = entry;
  const newPath = stagedContent(entry, id);
  if (newPath === undefined) return;
  if (isInPlace) {
    const content = readFileSync(newPath);
    const old = join(contentFolder(dirname(path), id, "old"), basename(path));
    if (isPartlyWritten(path, { entry, old: readFileSync(old), content })) writeInto(path, content);
  } else if (isAsBefore(entry)) {
    renameSync(newPath, path);
  }
}

const blockBytes = 4096;

/** Whether every block of a file is one of the old content or one of the new: nobody else has written to it. */
function isPartlyWritten(
  path: string,
  parts: { readonly entry: JournalEntry; readonly old: Buffer; readonly content: Buffer },
): boolean {
  const { entry, old, content } = parts;
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined || String(stat.ino) !== entry.target.inode) return false;
  const found = readFileSync(path);
  for (let at = 0; at < found.length; at += blockBytes) {
    const block = found.subarray(at, at + blockBytes);
    const isKnown = [old, content].some((each) => isBlockOf(each, block, at));
    if (!isKnown && !isSeam(block, { old, content, at })) return false;
  }
  return true;
}

function isBlockOf(whole: Buffer, block: Buffer, at: number): boolean {
  return whole.subarray(at, at + block.length).equals(block);
}

/** The block in which a killed process stopped: the new content up to there, then the old one. */
function isSeam(
  block: Buffer,
  { old, content, at }: { readonly old: Buffer; readonly content: Buffer; readonly at: number },
): boolean {
  let length = 0;
  while (length < block.length && block[length] === content[at + length]) length += 1;
  return block.subarray(length).equals(old.subarray(at + length, at + block.length));
}
