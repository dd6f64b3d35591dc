import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
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
import {
  backupPath,
  type Ledger,
  type LedgerEntry,
  ledgerFolder,
  ledgerPath,
  inodeOf,
  ledgerText,
} from "./ledger.ts";
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
 * Writes what was planned: all of it or nothing. The ledger knows of every change before it is made, and of what is taken out
 * until that is done: so what a killed process has left is found by the next one.
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
    const { during, after } = ledgersOf(planned, ledger);
    undo.push(() => (ledger.entries.length === 0 ? clearLedger(ledger.base) : writeLedger(ledger)));
    await writeFiles(planned, during, undo);
    closeLedger(planned, after);
    return during.entries;
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw asCommandError(error, ledger.base);
  }
}

async function writeFiles(
  planned: readonly PlannedFile[],
  during: Ledger,
  undo: (() => void)[],
): Promise<void> {
  const changed = planned.filter(({ action }) => action === "changed");
  const targets = changed.map(({ target }) => target);
  using locked = await lockFolders(targets, { process: thisProcess(), waitMs });
  writeLedger(during);
  for (const file of planned) keepBefore(file, during, undo);
  for (const file of planned) if (file.action === "created") create(file, undo);
  for (const file of planned) if (file.action === "removed") remove(file, undo);
  locked.replace(
    changed.map(({ target, bytes = Buffer.of(), after = Buffer.of() }) => ({
      path: target,
      before: bytes,
      after,
    })),
  );
}

/** What the ledger says while files are written, and what when that is done. */
function ledgersOf(
  planned: readonly PlannedFile[],
  { base, isOfHome, entries, folders }: Ledger,
): { readonly during: Ledger; readonly after: Ledger } {
  const taken = new Set(entries.map(({ backup }) => backup));
  const next = new Map(entries.map((entry) => [entry.path, entry]));
  for (const file of planned) {
    const { path, nextEntry } = file;
    if (nextEntry === undefined) continue;
    const isKept = nextEntry.backup !== null || !file.isFirst;
    const backup = isKept ? nextEntry.backup : freeName(file, { base, taken });
    taken.add(backup);
    next.set(path, { ...nextEntry, backup });
  }
  const made = planned.flatMap(({ action, path }) =>
    action === "created" ? missingFolders(dirname(path)) : [],
  );
  const gone = new Set(planned.flatMap((file) => (file.nextEntry ? [] : [file.path])));
  const during = {
    base,
    isOfHome,
    entries: [...next.values()],
    folders: [...new Set([...folders, ...made])].toSorted(),
  };
  return {
    during,
    after: { ...during, entries: during.entries.filter(({ path }) => !gone.has(path)) },
  };
}

function freeName(
  { target }: PlannedFile,
  { base, taken }: { readonly base: string; readonly taken: ReadonlySet<string | null> },
): string {
  const stem = basename(target).replaceAll(/[^\w.-]/g, "_");
  let name = stem;
  for (let count = 2; taken.has(name) || existsSync(backupPath(base, name)); count += 1)
    name = `${stem}.${count}`;
  return name;
}

/** Copies the content of a file that is to be changed for the first time. */
function keepBefore(file: PlannedFile, { base, entries }: Ledger, undo: (() => void)[]): void {
  const { bytes, target, path: named } = file;
  const name = entries.find(({ path }) => path === named)?.backup ?? null;
  if (bytes === undefined || name === null || !file.isFirst) return;
  const path = backupPath(base, name);
  if (existsSync(path)) return;
  attempt(path, () => {
    const made = makeFolders(dirname(path), 0o700);
    undo.push(() => removeFolders(made));
    undo.push(() => rmSync(path, { force: true }));
    const draft = `${path}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, bytes, { flag: "wx", mode: 0o600, flush: true });
    chmodSync(draft, statSync(target).mode & 0o777);
    renameSync(draft, path);
  });
}

/** Ends what `writeLedger` began: what is not needed any more is taken away. */
function closeLedger(planned: readonly PlannedFile[], ledger: Ledger): void {
  const { base, entries, folders } = ledger;
  const gone = planned.filter(
    ({ entry, nextEntry }) => entry !== undefined && nextEntry === undefined,
  );
  if (gone.length === 0) return;
  for (const file of gone) clearBackup(file, base);
  removeFolders(folders);
  if (entries.length === 0) return clearLedger(base);
  writeLedger({ ...ledger, folders: folders.filter((folder) => existsSync(folder)) });
}

/** Makes a file that nobody has made meanwhile: complete under another name first. */
function create({ path, after = Buffer.of(), mode }: PlannedFile, undo: (() => void)[]): void {
  attempt(path, () => {
    const folder = dirname(path);
    const folders = makeFolders(folder, 0o755);
    undo.push(() => removeFolders(folders));
    clearDrafts(folder);
    const draft = join(folder, `${draftStart}${thisProcess().id}`);
    try {
      writeFileSync(draft, after, { flag: "wx", mode, flush: true });
      nameDraft(draft, path);
      undo.push(() => rmSync(path, { force: true }));
    } finally {
      rmSync(draft, { force: true });
    }
    syncDirectory(folder);
  });
}

const draftStart = ".codetool-init-";

/** Takes away what killed processes have left half written. */
function clearDrafts(folder: string): void {
  const { id, isAlive } = thisProcess();
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(draftStart)) continue;
    const owner = Number(name.slice(draftStart.length));
    if (owner === id || !isAlive(owner, "")) rmSync(join(folder, name), { force: true });
  }
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
    clearDrafts(dirname(path));
  });
}

function writeLedger(ledger: Ledger): void {
  const path = ledgerPath(ledger.base);
  attempt(path, () => {
    const draft = `${path}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, "", { flag: "wx", mode: 0o600 });
    writeFileSync(draft, ledgerText(ledger, ledger.isOfHome ? null : inodeOf(draft)), {
      flush: true,
    });
    renameSync(draft, path);
    const ignore = join(dirname(path), ".gitignore");
    rmSync(ignore, { force: true });
    writeFileSync(ignore, "*\n", { flag: "wx" });
  });
}

/** Drops the content before where the file has that again; what somebody has changed since keeps it. */
function clearBackup({ entry, after }: PlannedFile, base: string): void {
  if (entry === undefined || entry.backup === null) return;
  const path = backupPath(base, entry.backup);
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
  const missing = missingFolders(folder);
  mkdirSync(folder, { recursive: true, mode });
  return missing;
}

function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let each = folder; !existsSync(each); each = dirname(each)) missing.unshift(each);
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
