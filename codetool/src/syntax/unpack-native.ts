import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A native library inside of the one-file executable. */
export interface EmbeddedFile {
  /** File name in the cache, for example `"python.so"`. */
  readonly name: string;
  /** Where the executable reads it from. */
  readonly path: string;
  /** Hexadecimal SHA-256 of the content. */
  readonly sha256: string;
}

/** Variables that say where caches lie. */
export interface CacheEnvironment {
  readonly [name: string]: string | undefined;
}

/**
 * The folders where unpacked libraries may lie, in the order they are tried: `CODETOOL_CACHE_DIR`, the user's cache
 * directory, one of our own for this user in the system's temporary directory. A library cannot be loaded from a
 * folder that is read-only or mounted without execution, so there is more than one.
 */
export function cacheFolders(environment: CacheEnvironment): string[] {
  const given = environment["CODETOOL_CACHE_DIR"];
  const folders = given === undefined || given === "" ? [] : [given];
  const home = environment["HOME"] || environment["USERPROFILE"] || homedir();
  if (process.platform === "win32")
    folders.push(join(environment["LOCALAPPDATA"] || join(home, "AppData", "Local"), "codetool"));
  else if (environment["XDG_CACHE_HOME"]?.startsWith("/") === true)
    folders.push(join(environment["XDG_CACHE_HOME"], "codetool"));
  else if (process.platform === "darwin") folders.push(join(home, "Library", "Caches", "codetool"));
  else folders.push(join(home, ".cache", "codetool"));
  folders.push(join(tmpdir(), `codetool-${process.getuid?.() ?? "user"}`));
  return [...new Set(folders)];
}

/**
 * Makes sure that an embedded library lies in a folder, and gives its path there.
 *
 * What is there already is used only if it is a plain file of this user, writable by nobody else, in a folder of this
 * user, and has the content expected; otherwise it is written anew, beside and then renamed, so that processes that
 * start at the same time never see half a file.
 *
 * @param folder Created if missing, for this user alone.
 * @throws Error when the folder cannot be used.
 */
export function unpackFile(file: EmbeddedFile, folder: string): string {
  const directory = join(folder, "native", file.sha256.slice(0, 16));
  makePrivateFolder(folder);
  makePrivateFolder(join(folder, "native"));
  makePrivateFolder(directory);
  const path = join(directory, file.name);
  if (isIntact(path, file.sha256)) return path;
  const content = readFileSync(file.path);
  if (hashOf(content) !== file.sha256)
    throw new Error(`"${file.name}" inside of this executable is damaged: install codetool again`);
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    // Where a library in use cannot be replaced, another process was first.
    if (!isIntact(path, file.sha256)) throw error;
  }
  return path;
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`"${folder}" is no folder`);
  if (!isOwn(stat)) throw new Error(`"${folder}" belongs to another user`);
  if (isWritableByOthers(stat)) chmodSync(folder, 0o700);
}

function isOwn(stat: Stats): boolean {
  return process.getuid === undefined || stat.uid === process.getuid();
}

function isWritableByOthers(stat: Stats): boolean {
  return process.platform !== "win32" && (stat.mode & 0o022) !== 0;
}

function isIntact(path: string, sha256: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch {
    // Missing, a link, or not ours to read: it is written anew.
    return false;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || !isOwn(stat) || isWritableByOthers(stat)) return false;
    return hashOf(readFileSync(descriptor)) === sha256;
  } finally {
    closeSync(descriptor);
  }
}
