import { dirname } from "node:path";
import { sleep, steadyMs } from "../../system/index.ts";
import { queueUp } from "./claim.ts";
import { clearEdit, type EditingProcess } from "./edit-folder.ts";
import { finishInterrupted, isInterrupted } from "./finish-interrupted.ts";
import { writeJournal } from "./journal.ts";
import { clearLinkFolder, linkFolderOf, queueUpForLinks } from "./link-folder.ts";
import { newEditId } from "./new-edit-id.ts";
import { asReplaceError, ReplaceError } from "./replace-error.ts";
import { place, type Replacement, requireSame, type StagedFile, stageIn } from "./stage.ts";
import { syncDirectory } from "./sync-directory.ts";

/** The right to edit in some folders: no other codetool does so meanwhile. */
export interface LockedFolders extends Disposable {
  /**
   * Replaces the contents of files in these folders, all of them or none, even when this process is killed: everything
   * is staged and synced, then a journal is written, then one file after the other is put in place. Anybody who reads a
   * file sees its old content or the new one, and never a part; but a file with several names, or with attributes that a
   * new file cannot be given, is written into.
   *
   * @throws ReplaceError; all files are as they were then.
   */
  replace(replacements: readonly Replacement[]): void;
}

/** How often those who wait look again. */
const pollMs = 2;

/**
 * Waits for the right to edit files, and finishes what killed processes have left in their folders.
 *
 * @param paths Absolute, links resolved.
 * @param options.waitMs How long others may take; 0 for one look.
 * @throws ReplaceError: `busy` when others took too long.
 */
export async function lockFolders(
  paths: readonly string[],
  options: { readonly process: EditingProcess; readonly waitMs: number },
): Promise<LockedFolders> {
  const { process, waitMs } = options;
  // Everybody takes them in one order, so that no two wait for each other.
  const folders = [...new Set(paths.map((path) => dirname(path)))].toSorted();
  const linkFolders = [...new Set(paths.map(linkFolderOf))]
    .filter((folder) => folder !== undefined)
    .toSorted();
  const deadlineMs = steadyMs() + waitMs;
  for (;;) {
    const id = newEditId(process);
    const release = (): void => {
      for (const folder of [...folders, ...linkFolders]) clearEdit(folder, id);
      for (const folder of linkFolders) clearLinkFolder(folder);
    };
    try {
      const wait = { id, process, deadlineMs };
      for (const folder of folders) await waitInQueue(folder, { ...wait, queueUp });
      for (const folder of linkFolders)
        await waitInQueue(folder, { ...wait, queueUp: queueUpForLinks });
    } catch (error) {
      release();
      throw error;
    }
    const unfinished = folders.filter((folder) => isInterrupted(folder, process));
    if (unfinished.length === 0) {
      for (const folder of folders) finishInterrupted(folder, process);
      return {
        replace: (replacements) => replaceAll(replacements, { id, process }),
        [Symbol.dispose]: release,
      };
    }
    // A set has folders that are not ours: it is finished by one that has all of them.
    release();
    for (const folder of unfinished) {
      if (finishInterrupted(folder, process)) continue;
      if (steadyMs() > deadlineMs) throw new ReplaceError("busy", folder);
      await sleep(pollMs);
    }
  }
}

async function waitInQueue(
  folder: string,
  options: {
    readonly id: string;
    readonly process: EditingProcess;
    readonly deadlineMs: number;
    readonly queueUp: typeof queueUp;
  },
): Promise<void> {
  const { id, process, deadlineMs } = options;
  try {
    const claim = options.queueUp(folder, id, process);
    while (!claim.isFirst()) {
      if (steadyMs() > deadlineMs) throw new ReplaceError("busy", folder);
      await sleep(pollMs);
    }
  } catch (error) {
    throw asReplaceError(error, folder);
  }
}

function replaceAll(
  replacements: readonly Replacement[],
  { id, process }: { readonly id: string; readonly process: EditingProcess },
): void {
  const byFolder = Map.groupBy(replacements, ({ path }) => dirname(path));
  const folders = [...byFolder.keys()];
  const staged: StagedFile[] = [];
  for (const [folder, own] of byFolder) {
    try {
      staged.push(...stageIn(folder, id, own));
    } catch (error) {
      throw asReplaceError(error, own[0]?.path ?? folder);
    }
  }
  for (const { path, before } of replacements) requireSame(path, before);
  const isJournalled = staged.length > 1 || staged.some(({ isInPlace }) => isInPlace);
  try {
    if (isJournalled) writeJournal(folders, id, staged);
  } catch (error) {
    throw asReplaceError(error, folders[0] ?? "");
  }
  const placed: Replacement[] = [];
  try {
    for (const file of staged) {
      place(file);
      placed.push(file.replacement);
    }
  } catch (error) {
    for (const replacement of placed.toReversed()) putBack(replacement, process);
    throw error;
  } finally {
    for (const folder of folders) syncDirectory(folder);
  }
}

/** Gives a file its old content again, unless somebody else has written to it. */
function putBack({ path, before, after }: Replacement, process: EditingProcess): void {
  const folder = dirname(path);
  const id = newEditId(process);
  try {
    for (const file of stageIn(folder, id, [{ path, before: after, after: before }])) place(file);
  } catch (error) {
    if (!(error instanceof ReplaceError && error.failure === "changed")) throw error;
  } finally {
    clearEdit(folder, id);
  }
}
