import { lstatSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { AdditionKind } from "../../configs/index.ts";
import { errors } from "../../envelope/index.ts";

/** What `init` put into one file, and how it is taken out. */
export interface LedgerEntry {
  /** Absolute, as the framework names it: links are not resolved. */
  readonly path: string;
  /** Those that it was put in for. */
  readonly frameworks: readonly string[];
  /** True when the file was not there before. */
  readonly isCreated: boolean;
  /** The name of the copy of the content before, in the ledger's folder; `null` without one. */
  readonly backup: string | null;
  readonly kind: AdditionKind;
  /** The stretch of text that was put in, and where it begins. */
  readonly added: string;
  readonly offset: number;
  /** Hash of the content that was written. */
  readonly hash: string;
}

/** The record of what `init` has written below one folder: a home, or a project. */
export interface Ledger {
  /** The folder that the record is of, absolute. */
  readonly base: string;
  /** True for the record of a home, false for that of a project. */
  readonly isOfHome: boolean;
  readonly entries: readonly LedgerEntry[];
  /** Folders that were made for the files, absolute, each after those around it. */
  readonly folders: readonly string[];
}

/** The folder of a ledger and of the contents before: `.codetool/init/` in the home or the project. */
export function ledgerFolder(base: string): string {
  return join(base, ".codetool", "init");
}

/** The file with the content that a file had before its first change. */
export function backupPath(base: string, name: string): string {
  return join(ledgerFolder(base), "before", name);
}

/** The file of a ledger. */
export function ledgerPath(base: string): string {
  return join(ledgerFolder(base), "ledger.json");
}

/**
 * Reads the ledger of a home or project; one that is not there is empty. In a project one counts only while it is the very
 * file that `init` wrote: what comes with a cloned or unpacked tree could name any file, and is not carried out.
 *
 * @throws parse_error for one that somebody has damaged; invalid_argument where a project has links in its place;
 * permission_denied.
 */
export function readLedger(base: string, isOfHome: boolean): Ledger {
  const none = { base, isOfHome, entries: [], folders: [] };
  const path = ledgerPath(base);
  if (!isOfHome) refuseLinks(base);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return none;
    throw new errors.permission_denied({ path }, { cause: error });
  }
  const record = recordOf(text);
  if (record === undefined)
    throw new errors.parse_error({ path, reason: "it is not what `codetool init` writes there" });
  if (!isOfHome && record.inode !== inodeOf(path)) return none;
  const entries = record.files.map((entry) => ({ ...entry, path: resolve(base, entry.path) }));
  const folders = record.folders.map((folder) => resolve(base, folder));
  return { base, isOfHome, entries, folders };
}

/** A link that comes with a project would lead codetool to write elsewhere. */
function refuseLinks(base: string): void {
  const folder = ledgerFolder(base);
  for (const path of [dirname(folder), folder, join(folder, "before"), ledgerPath(base)])
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new errors.invalid_argument({
        argument: path,
        reason: "it is a link, and codetool writes to none there",
      });
}

/** What tells a file from all others of its disk, as digits. */
export function inodeOf(path: string): string {
  return String(lstatSync(path, { bigint: true }).ino);
}

/**
 * Writes a ledger as the text of its file: paths below its folder are relative, so that a project may be moved.
 *
 * @param inode Of that file, see `inodeOf`; `null` in a home.
 */
export function ledgerText({ base, entries, folders }: Ledger, inode: string | null): string {
  const shorten = (path: string): string => {
    const below = relative(base, path);
    return below.startsWith("..") || isAbsolute(below) ? path : below.replaceAll("\\", "/");
  };
  const files = entries.map((entry) => ({ ...entry, path: shorten(entry.path) }));
  return `${JSON.stringify({ version: 1, inode, folders: folders.map(shorten), files }, null, 2)}\n`;
}

/** The ledger as its file has it. */
interface LedgerRecord {
  readonly inode: string;
  readonly files: readonly LedgerEntry[];
  readonly folders: readonly string[];
}

function recordOf(text: string): LedgerRecord | undefined {
  let parsed: { readonly [Name in "version" | "inode" | "files" | "folders"]?: unknown } | null;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    return undefined;
  }
  if (parsed?.version !== 1 || !Array.isArray(parsed.files)) return undefined;
  const files = parsed.files as readonly Partial<LedgerEntry>[];
  const { folders, inode } = parsed;
  if (!files.every(isEntry) || !isStrings(folders)) return undefined;
  return { inode: String(inode), files, folders };
}

function isEntry(entry: Partial<LedgerEntry> | null): entry is LedgerEntry {
  const isBackup = entry?.backup === null || /^[\w.-]+$/.test(String(entry?.backup));
  return (
    typeof entry?.path === "string" &&
    isStrings(entry.frameworks) &&
    typeof entry.isCreated === "boolean" &&
    isBackup &&
    typeof entry.kind?.kind === "string" &&
    typeof entry.added === "string" &&
    typeof entry.offset === "number" &&
    typeof entry.hash === "string"
  );
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
