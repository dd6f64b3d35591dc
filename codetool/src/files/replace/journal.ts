import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import nodeProcess from "node:process";
import { editFolderOf } from "./edit-folder.ts";
import { contentFolder, type StagedFile } from "./stage.ts";
import { syncDirectory } from "./sync-directory.ts";

/** What the journal says of one file. */
export interface JournalEntry {
  /** Absolute path of the file. */
  readonly path: string;
  readonly isInPlace: boolean;
  /** What the file was before: another one was put there since, or written by somebody else. */
  readonly target: FileIdentity;
  /** What the new content is, so that nobody can put another in its place. */
  readonly content: FileIdentity;
}

/** Tells a file from another, and from itself after a change. Numbers as decimal digits, times in nanoseconds. */
interface FileIdentity {
  readonly inode: string;
  readonly sizeBytes: string;
  readonly modifiedNs: string;
  readonly changedNs: string;
}

/**
 * Writes the journal of a set of files that are staged: from here on the set is finished, by this process or another.
 * It is in the edit folder of the first file's folder; each of the other folders says where.
 *
 * @param folders All folders of the set; the first has the journal.
 */
export function writeJournal(
  folders: readonly string[],
  id: string,
  staged: readonly StagedFile[],
): void {
  const [home = ""] = folders;
  for (const folder of folders.slice(1))
    writePart(folder, `${id}.at`, JSON.stringify({ folder: relative(folder, home) }));
  const entries = staged.map(({ replacement, newPath, isInPlace }) => ({
    path: relative(home, replacement.path),
    isInPlace,
    target: identityOf(replacement.path),
    content: identityOf(newPath),
  }));
  writePart(home, `${id}.set`, JSON.stringify({ entries }));
}

function writePart(folder: string, name: string, text: string): void {
  const editFolder = editFolderOf(folder);
  const part = join(editFolder, `${name.slice(0, name.lastIndexOf("."))}.part`);
  writeFileSync(part, text, { mode: 0o600 });
  const descriptor = openSync(part, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, join(editFolder, name));
  syncDirectory(editFolder);
  syncDirectory(folder);
}

/** The folder that has the journal of an edit, by what is in one of its folders. */
export function journalHome(folder: string, id: string): string | undefined {
  const isHome = lstatSync(join(editFolderOf(folder), `${id}.set`), { throwIfNoEntry: false });
  if (isHome !== undefined) return folder;
  const pointer = readOwn(join(editFolderOf(folder), `${id}.at`)) as { folder?: unknown } | null;
  return typeof pointer?.folder === "string" ? resolve(folder, pointer.folder) : undefined;
}

/**
 * Reads a journal.
 *
 * @returns `undefined` where there is none, or one that another user or another machine has written: what comes with a
 * cloned or unpacked tree is not carried out.
 */
export function readJournal(home: string, id: string): readonly JournalEntry[] | undefined {
  const read = readOwn(join(editFolderOf(home), `${id}.set`)) as { entries?: unknown } | null;
  if (!Array.isArray(read?.entries)) return undefined;
  const entries = read.entries as readonly Partial<JournalEntry>[];
  const isWhole = entries.every(
    ({ path, target, content }) =>
      typeof path === "string" && target !== undefined && content !== undefined,
  );
  if (!isWhole) return undefined;
  return (entries as readonly JournalEntry[]).map((entry) => ({
    ...entry,
    path: resolve(home, entry.path),
  }));
}

/** Where the new content of a journal's file is, while it is what the edit has written; else `undefined`. */
export function stagedContent({ path, content }: JournalEntry, id: string): string | undefined {
  const newPath = join(contentFolder(dirname(path), id, "new"), basename(path));
  if (!isOwnFile(newPath)) return undefined;
  const { inode, changedNs, sizeBytes } = identityOf(newPath);
  const isSame =
    inode === content.inode && changedNs === content.changedNs && sizeBytes === content.sizeBytes;
  return isSame ? newPath : undefined;
}

/** Whether a journal's file is as it was when the journal was written. */
export function isAsBefore({ path, target }: JournalEntry): boolean {
  try {
    if (realpathSync(path) !== path) return false;
    const { inode, sizeBytes, modifiedNs } = identityOf(path);
    return (
      inode === target.inode && sizeBytes === target.sizeBytes && modifiedNs === target.modifiedNs
    );
  } catch {
    return false;
  }
}

function identityOf(path: string): FileIdentity {
  const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return {
    inode: String(ino),
    sizeBytes: String(size),
    modifiedNs: String(mtimeNs),
    changedNs: String(ctimeNs),
  };
}

function readOwn(path: string): unknown {
  try {
    return isOwnFile(path) ? (JSON.parse(readFileSync(path, "utf8")) as unknown) : null;
  } catch {
    return null;
  }
}

function isOwnFile(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return false;
  const user = nodeProcess.geteuid?.();
  return user === undefined || stat.uid === user;
}
