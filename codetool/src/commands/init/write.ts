import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errors } from "../../envelope/index.ts";
import { lockFolders, ReplaceError, syncDirectory } from "../../files/index.ts";
import { thisProcess } from "../../system/index.ts";
import { type Ledger, type LedgerEntry, ledgerFolder, ledgerPath, ledgerText } from "./ledger.ts";
import type { PlannedFile } from "./plan.ts";

/** How long one waits for others that write to the same folders. */
const waitMs = 5000;

/**
 * Holds the ledger of a home or project, so that no other `init` writes meanwhile. Its folder is made where it is missing.
 *
 * @throws permission_denied, file_changed, disk_full where that cannot be.
 */
export async function holdLedger(base: string): Promise<Disposable> {
  const folder = ledgerFolder(base);
  const made = attempt(folder, () => makeFolders(folder, 0o700));
  try {
    const held = await lockFolders([ledgerPath(base)], { process: thisProcess(), waitMs });
    return {
      [Symbol.dispose]: () => {
        held[Symbol.dispose]();
        // Where nothing is kept in them.
        removeFolders([dirname(folder), folder]);
      },
    };
  } catch (error) {
    removeFolders(made);
    throw asCommandError(error, folder);
  }
}

/**
 * Writes what was planned: all of it or nothing. First the ledger and the contents before, so that a killed process leaves
 * nothing that `--remove` does not find; then the files.
 *
 * @param ledger Held by `holdLedger`.
 * @returns The entries that the ledger has now, with the names of the contents before.
 * @throws permission_denied, file_changed, disk_full: all files are as they were then.
 */
export async function writePlan(
  planned: readonly PlannedFile[],
  ledger: Ledger,
): Promise<readonly LedgerEntry[]> {
  const undo: (() => void)[] = [];
  try {
    const entries = planned.map((file) => keepBefore(file, ledger, undo));
    const changed = planned.filter(({ action }) => action === "changed");
    const targets = changed.map(({ target }) => target);
    using locked = await lockFolders(targets, { process: thisProcess(), waitMs });
    const made = planned.flatMap((file) => (file.action === "created" ? create(file, undo) : []));
    const paths = new Set(planned.map(({ path }) => path));
    const others = ledger.entries.filter(({ path }) => !paths.has(path));
    const next = [...others, ...entries.filter((entry) => entry !== undefined)];
    const { base } = ledger;
    const folders = [...new Set([...ledger.folders, ...made])].toSorted();
    writeLedger({ base, entries: next, folders }, undo);
    const removed = planned.filter(({ action }) => action === "removed");
    for (const file of removed) remove(file, undo);
    locked.replace(
      changed.map(({ target, bytes = Buffer.of(), after = Buffer.of() }) => ({
        path: target,
        before: bytes,
        after,
      })),
    );
    for (const file of planned) if (file.nextEntry === undefined) clearBackup(file, base);
    if (removed.length > 0) removeFolders(folders);
    const left = folders.filter((folder) => existsSync(folder));
    if (next.length === 0) clearLedger(base);
    else if (left.length < folders.length)
      writeLedger({ base, entries: next, folders: left }, undo);
    return next;
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw asCommandError(error, ledger.base);
  }
}

/** Copies the content of a file that is to be changed for the first time. */
function keepBefore(
  { action, bytes, target, entry, nextEntry }: PlannedFile,
  { base, entries }: Ledger,
  undo: (() => void)[],
): LedgerEntry | undefined {
  if (action !== "changed" || bytes === undefined || entry !== undefined) return nextEntry;
  if (nextEntry === undefined) return undefined;
  const folder = join(ledgerFolder(base), "before");
  const taken = new Set(entries.map(({ backup }) => backup));
  const stem = basename(target).replaceAll(/[^\w.-]/g, "_");
  let name = stem;
  for (let count = 2; taken.has(name) || existsSync(join(folder, name)); count += 1)
    name = `${stem}.${count}`;
  const path = join(folder, name);
  attempt(path, () => {
    const made = makeFolders(folder, 0o700);
    undo.push(() => removeFolders(made));
    undo.push(() => rmSync(path, { force: true }));
    writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
    chmodSync(path, statSync(target).mode & 0o777);
  });
  return { ...nextEntry, backup: name };
}

/** Makes a file that nobody has made meanwhile: complete under another name first. @returns The folders made for it. */
function create({ path, after = Buffer.of(), mode }: PlannedFile, undo: (() => void)[]): string[] {
  return attempt(path, () => {
    const folder = dirname(path);
    const folders = makeFolders(folder, 0o755);
    undo.push(() => removeFolders(folders));
    const draft = join(folder, `.codetool-init-${thisProcess().id}`);
    try {
      writeFileSync(draft, after, { flag: "wx", mode, flush: true });
      nameDraft(draft, path);
      undo.push(() => rmSync(path, { force: true }));
    } finally {
      rmSync(draft, { force: true });
    }
    syncDirectory(folder);
    return folders;
  });
}

/** A second name for a file cannot replace another one, as a new name can. */
function nameDraft(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || existsSync(path)) throw new ReplaceError("changed", path);
    // A disk without hard links.
    renameSync(draft, path);
  }
}

function remove({ path, target, bytes }: PlannedFile, undo: (() => void)[]): void {
  attempt(path, () => {
    if (bytes === undefined || !readFileSync(target).equals(bytes))
      throw new ReplaceError("changed", path);
    const { mode } = statSync(target);
    undo.push(() => {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes, { mode });
    });
    rmSync(target);
  });
}

function writeLedger(ledger: Ledger, undo: (() => void)[]): void {
  const path = ledgerPath(ledger.base);
  attempt(path, () => {
    const old = existsSync(path) ? readFileSync(path) : undefined;
    undo.push(() => (old === undefined ? rmSync(path, { force: true }) : writeFileSync(path, old)));
    const draft = `${path}.new`;
    writeFileSync(draft, ledgerText(ledger), { mode: 0o600, flush: true });
    renameSync(draft, path);
    const ignore = join(dirname(path), ".gitignore");
    if (existsSync(ignore)) return;
    undo.push(() => rmSync(ignore, { force: true }));
    writeFileSync(ignore, "*\n");
  });
}

/** Drops the content before where the file has that again; what somebody has changed since keeps it. */
function clearBackup({ entry, after }: PlannedFile, base: string): void {
  if (entry === undefined || entry.backup === null) return;
  const path = join(ledgerFolder(base), "before", entry.backup);
  try {
    if (after?.equals(readFileSync(path)) === true) rmSync(path);
  } catch {
    // Somebody has deleted it.
  }
}

function clearLedger(base: string): void {
  const folder = ledgerFolder(base);
  rmSync(ledgerPath(base), { force: true });
  removeFolders([join(folder, "before")]);
  if (existsSync(join(folder, "before"))) return;
  rmSync(join(folder, ".gitignore"), { force: true });
}

/** Makes a folder and those around it. @returns The folders that were missing, the innermost last. */
function makeFolders(folder: string, mode: number): string[] {
  const missing: string[] = [];
  for (let each = folder; !existsSync(each); each = dirname(each)) missing.unshift(each);
  mkdirSync(folder, { recursive: true, mode });
  return missing;
}

/** Takes folders away that are empty, from the innermost on. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody has put something into it, or it is gone.
    }
  }
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asCommandError(error, path);
  }
}

function asCommandError(error: unknown, path: string): unknown {
  if (error instanceof ReplaceError) return asRefusal(error.failure, error.path, error);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const denied = ["EACCES", "EPERM", "EROFS"].includes(code ?? "");
  const full = ["ENOSPC", "EDQUOT"].includes(code ?? "");
  return asRefusal(denied ? "denied" : full ? "full" : "failed", path, error as Error);
}

function asRefusal(failure: ReplaceError["failure"], path: string, cause: Error): Error {
  switch (failure) {
    case "denied":
      return new errors.permission_denied({ path, action: "write" }, { cause });
    case "full":
      return new errors.disk_full({ path }, { cause });
    case "changed":
    case "busy":
    case "missing": {
      const reason =
        failure === "busy" ? "another process is writing there" : "it was changed meanwhile";
      return new errors.file_changed({ action: "write", path, reason }, { cause });
    }
    case "failed":
      return new errors.invalid_argument(
        { argument: path, reason: `it cannot be written: ${cause.message}` },
        { cause },
      );
  }
}
