/**
 * Replacing the contents of files, one or many, in one step.
 *
 *   paths ─ lockFolders ─▶ queue of each folder ─▶ replace ─▶ staged and synced ─▶ journal ─▶ in place
 *                                                                                    │
 *   the process is killed: the next command ─ finishInterrupted ─▶ undone ◀─ no ───┴─ yes ─▶ finished
 *
 * All of it is in a folder `.codetool-edit` next to the edited files, on the same disk and with the tree, wherever that is
 * mounted; it is gone when the edit is done. A journal counts only for the user who wrote it and while the staged contents are
 * the very files it names: what comes with a cloned or unpacked tree is not carried out.
 *
 * It must not know what is edited or why.
 */
export { editFolderName, type EditingProcess } from "./edit-folder.ts";
export { finishInterrupted } from "./finish-interrupted.ts";
export { type LockedFolders, lockFolders } from "./locked-folders.ts";
export { ReplaceError } from "./replace-error.ts";
export type { Replacement } from "./stage.ts";
export { syncDirectory } from "./sync-directory.ts";
