import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import nodeProcess from "node:process";
import { editFolderOf } from "./edit-folder.ts";
import { asReplaceError, ReplaceError } from "./replace-error.ts";

/** A file, and what is to be in it. */
export interface Replacement {
  /** Absolute, links resolved: what a link leads to is replaced, not the link. */
  readonly path: string;
  /** The content that the new one was made from. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** New content of a file, complete and on the disk, about to take its place. */
export interface StagedFile {
  readonly replacement: Replacement;
  /** Where the new content is. */
  readonly newPath: string;
  /** True when it is written into the file, which keeps its names and what is attached to it; else it is renamed. */
  readonly isInPlace: boolean;
}

/** Where an edit keeps contents of the files of a folder: `new` ones, and `old` ones that are written over. */
export function contentFolder(folder: string, id: string, part: "new" | "old"): string {
  return join(editFolderOf(folder), `${id}.${part}`);
}

/**
 * Writes the new contents of files of one folder next to them, synced to the disk, in a folder that only this user may
 * enter. A new file gets mode, owner, access list and attributes of the old one. Where it cannot get all of them, and
 * where a file has several names, the content will be written into the file itself, and a copy of the old one is kept.
 *
 * @throws ReplaceError.
 */
export function stageIn(
  folder: string,
  id: string,
  replacements: readonly Replacement[],
): StagedFile[] {
  const newFolder = contentFolder(folder, id, "new");
  mkdirSync(newFolder, { mode: 0o700 });
  const stats = new Map<Replacement, Stats>();
  for (const replacement of replacements) {
    const { path } = replacement;
    try {
      accessSync(path, constants.W_OK);
      stats.set(replacement, statSync(path));
    } catch (error) {
      throw asReplaceError(error, path);
    }
  }
  const single = replacements.filter((each) => stats.get(each)?.nlink === 1);
  carryAttributes(
    single.map(({ path }) => path),
    newFolder,
  );
  return replacements.map((replacement) => {
    const { path, before, after } = replacement;
    const newPath = join(newFolder, basename(path));
    const stat = stats.get(replacement) as Stats;
    try {
      const isInPlace = stat.nlink !== 1 || !hasRightsOf(newPath, stat);
      writeContent(newPath, after, isInPlace ? 0o600 : stat.mode);
      if (isInPlace) keepOld(contentFolder(folder, id, "old"), basename(path), before);
      return { replacement, newPath, isInPlace };
    } catch (error) {
      throw asReplaceError(error, path);
    }
  });
}

/** Puts new content in the place of the old one. @throws ReplaceError, also where the old content is another by now. */
export function place({ replacement, newPath, isInPlace }: StagedFile): void {
  const { path, before, after } = replacement;
  requireSame(path, before);
  try {
    if (!isInPlace) {
      renameSync(newPath, path);
      return;
    }
    try {
      writeInto(path, after);
    } catch (error) {
      writeInto(path, before);
      throw error;
    }
  } catch (error) {
    throw asReplaceError(error, path);
  }
}

/** @throws ReplaceError where a file has another content, or none. */
export function requireSame(path: string, before: Uint8Array): void {
  let found: Buffer;
  try {
    found = readFileSync(path);
  } catch (error) {
    throw asReplaceError(error, path);
  }
  if (!found.equals(before)) throw new ReplaceError("changed", path);
}

/** Writes a content into a file that stays the same file, and syncs it. */
export function writeInto(path: string, bytes: Uint8Array): void {
  writeContent(path, bytes, statSync(path).mode);
}

/** @param mode Set after the writing, which takes some rights away. */
function writeContent(path: string, bytes: Uint8Array, mode: number): void {
  const flags = constants.O_WRONLY | constants.O_CREAT;
  const descriptor = openSync(path, flags, 0o600);
  try {
    let written = 0;
    while (written < bytes.length)
      written += writeSync(descriptor, bytes, written, bytes.length - written, written);
    ftruncateSync(descriptor, bytes.length);
    if ((statSync(path).mode & 0o7777) !== (mode & 0o7777)) chmodSync(path, mode & 0o7777);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function keepOld(oldFolder: string, name: string, before: Uint8Array): void {
  mkdirSync(oldFolder, { mode: 0o700, recursive: true });
  writeContent(join(oldFolder, name), before, 0o600);
}

/** Paths given to one run of `cp`. */
const copyCountMax = 500;

/**
 * Makes a file in a folder for each path, with mode, owner, access list and attributes of that one. Node has no call for
 * the last two, so `cp` does it. Where it fails, a file is missing or has other rights, which `hasRightsOf` sees.
 */
function carryAttributes(paths: readonly string[], folder: string): void {
  for (let from = 0; from < paths.length; from += copyCountMax) {
    const some = paths.slice(from, from + copyCountMax);
    if (nodeProcess.platform === "win32") {
      for (const path of some) writeContent(join(folder, basename(path)), new Uint8Array(), 0o600);
      continue;
    }
    const flags =
      nodeProcess.platform === "linux"
        ? ["--attributes-only", "--preserve=mode,ownership,xattr"]
        : ["-p"];
    const { status } = spawnSync("cp", [...flags, "--", ...some, folder], { stdio: "ignore" });
    if (status === 0) continue;
    // Which of them lack an attribute is not known: none of them is used.
    for (const path of some) rmSync(join(folder, basename(path)), { force: true });
  }
}

function hasRightsOf(newPath: string, { mode, uid, gid }: Stats): boolean {
  const own = statSync(newPath, { throwIfNoEntry: false });
  if (own === undefined) return false;
  if (nodeProcess.platform === "win32") return true;
  return own.uid === uid && own.gid === gid && (own.mode & 0o7777) === (mode & 0o7777);
}
