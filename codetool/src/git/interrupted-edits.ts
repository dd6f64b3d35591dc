import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { editFolderName, finishInterrupted } from "../files/index.ts";
import { thisProcess } from "../system/index.ts";
import type { ChangedFile } from "./changed-file.ts";

/** Whether a path, relative to the root, is of what an edit needs until it is done, and not of the tree. */
export function isOfEdit(path: string): boolean {
  return path.split("/").includes(editFolderName);
}

/**
 * Finishes or undoes what killed edits have left next to changed files.
 *
 * @param root Absolute path of the work tree.
 * @returns True where there was something: what git has said of the files may be so no more.
 */
export function finishAround(root: string, files: readonly ChangedFile[]): boolean {
  const folders = new Set<string>();
  for (const { new: side, old } of files) {
    const parts = (side ?? old)?.path.split("/") ?? [];
    const at = parts.indexOf(editFolderName);
    folders.add(at === -1 ? dirname(parts.join("/")) : parts.slice(0, at).join("/"));
  }
  let isFound = false;
  for (const folder of folders) {
    const absolute = join(root, folder);
    if (!existsSync(join(absolute, editFolderName))) continue;
    isFound = true;
    finishInterrupted(absolute, thisProcess());
  }
  return isFound;
}
