import { readFileSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
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
 * Reads the ledger of a home or project; one that is not there is empty.
 *
 * @throws parse_error for one that somebody has damaged; permission_denied.
 */
export function readLedger(base: string): Ledger {
  const path = ledgerPath(base);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { base, entries: [], folders: [] };
    throw new errors.permission_denied({ path }, { cause: error });
  }
  const record = recordOf(text);
  if (record === undefined)
    throw new errors.parse_error({ path, reason: "it is not what `codetool init` writes there" });
  const entries = record.files.map((entry) => ({ ...entry, path: resolve(base, entry.path) }));
  return { base, entries, folders: record.folders.map((folder) => resolve(base, folder)) };
}

/** Writes a ledger as the text of its file: paths below its folder are relative, so that a project may be moved. */
export function ledgerText({ base, entries, folders }: Ledger): string {
  const shorten = (path: string): string => {
    const below = relative(base, path);
    return below.startsWith("..") || isAbsolute(below) ? path : below.replaceAll("\\", "/");
  };
  const files = entries.map((entry) => ({ ...entry, path: shorten(entry.path) }));
  return `${JSON.stringify({ version: 1, folders: folders.map(shorten), files }, null, 2)}\n`;
}

/** The ledger as its file has it. */
interface LedgerRecord {
  readonly files: readonly LedgerEntry[];
  readonly folders: readonly string[];
}

function recordOf(text: string): LedgerRecord | undefined {
  let parsed: { readonly [Name in "version" | "files" | "folders"]?: unknown } | null;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    return undefined;
  }
  if (parsed?.version !== 1 || !Array.isArray(parsed.files)) return undefined;
  const files = parsed.files as readonly Partial<LedgerEntry>[];
  const { folders } = parsed;
  return files.every(isEntry) && isStrings(folders) ? { files, folders } : undefined;
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
