import {
  chmodSync,
  closeSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
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
  /** Where the executable reads it from, compressed. */
  readonly path: string;
  /** XXH3 (64 bits) of the content when it is unpacked, 16 hexadecimal digits. */
  readonly digest: string;
  /** When it is unpacked. */
  readonly sizeBytes: number;
}

/**
 * How a library that is there already is checked: its content, or its stamp (size, and a time of last change that only
 * we give), which costs no reading and sees every change but damage to the disk itself.
 */
export type IntegrityCheck = "content" | "stamp";

/** The time of last change of every unpacked library, in seconds since 1970: 2001-09-09. */
const stampSeconds = 1_000_000_000;

/** Gives the XXH3 of a file on disk. */
export type DigestOfFile = (path: string) => string;

/** Gives the content of an embedded library as it is on disk. */
export type ContentOfFile = (file: EmbeddedFile) => Uint8Array;

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
  const ofUser = userCacheFolder(environment);
  if (ofUser !== undefined) folders.push(join(ofUser, "codetool"));
  folders.push(join(tmpdir(), `codetool-${process.getuid?.() ?? "user"}`));
  return [...new Set(folders)];
}

/** The user's cache directory; `undefined` where the user has none. */
function userCacheFolder(environment: CacheEnvironment): string | undefined {
  const { platform } = process;
  const given = environment[platform === "win32" ? "LOCALAPPDATA" : "XDG_CACHE_HOME"] ?? "";
  // A relative XDG_CACHE_HOME is to be ignored.
  if (platform === "win32" ? given !== "" : given.startsWith("/")) return given;
  const home = environment["HOME"] || environment["USERPROFILE"] || homeOfAccount();
  if (home === undefined) return undefined;
  if (platform === "win32") return join(home, "AppData", "Local");
  return platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

function homeOfAccount(): string | undefined {
  try {
    return homedir();
  } catch {
    // Containers run programs as users that no account is there for.
    return undefined;
  }
}

/**
 * Makes sure that an embedded library lies in a folder, and gives its path there.
 *
 * What is there already is used only if it is a plain file of this user, writable by nobody else, in a folder of this
 * user, and has the content or the stamp expected; otherwise it is written again, to another file, flushed to the disk and then
 * renamed, so that processes that start at the same time never see half a file, nor does one after a power failure.
 * Owner and mode keep others out; the digest tells damage, and need not withstand an attacker, who would have to be
 * this user.
 *
 * @param options.folder Created if missing, only for this user.
 * @param options.check How a library that is there is checked; default `"content"`.
 * @throws Error when the folder cannot be used.
 */
export function unpackFile(
  file: EmbeddedFile,
  options: {
    readonly folder: string;
    readonly digestOf: DigestOfFile;
    readonly contentOf: ContentOfFile;
    readonly check?: IntegrityCheck;
  },
): string {
  const { folder, digestOf, contentOf, check = "content" } = options;
  const directory = join(folder, "native", file.digest);
  makePrivateFolder(folder);
  makePrivateFolder(join(folder, "native"));
  makePrivateFolder(directory);
  const path = join(directory, file.name);
  if (check === "stamp" ? isStamped(path, file) : isIntact(path, file.digest, digestOf)) {
    return path;
  }
  const temporary = `${path}.${process.pid}`;
  try {
    rmSync(temporary, { force: true });
    writeStamped(temporary, contentOf(file));
    if (digestOf(temporary) !== file.digest) throw damagedError(file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    // Where a library in use cannot be replaced, another process was first.
    if (!isIntact(path, file.digest, digestOf)) throw error;
  }
  return path;
}

/** The executable itself, or the disk, has lost a part of an embedded library. */
export function damagedError({ name }: EmbeddedFile): Error {
  return new Error(`"${name}" is damaged: install codetool again, or make room on the disk`);
}

function makePrivateFolder(folder: string): void {
  let stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    stat = lstatSync(folder);
  }
  if (!stat.isDirectory()) throw new Error(`"${folder}" is not a folder`);
  if (!isOwn(stat)) throw new Error(`"${folder}" belongs to another user`);
  if (isWritableByOthers(stat)) chmodSync(folder, 0o700);
}

function isOwn(stat: Stats): boolean {
  return process.getuid === undefined || stat.uid === process.getuid();
}

function isWritableByOthers(stat: Stats): boolean {
  return process.platform !== "win32" && (stat.mode & 0o022) !== 0;
}

function writeStamped(path: string, content: Uint8Array): void {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    writeFileSync(descriptor, content);
    futimesSync(descriptor, stampSeconds, stampSeconds);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isStamped(path: string, { sizeBytes }: EmbeddedFile): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size !== sizeBytes) return false;
  return isUsable(stat) && stat.mtimeMs === stampSeconds * 1000;
}

function isIntact(path: string, digest: string, digestOf: DigestOfFile): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size === 0) return false;
  return isUsable(stat) && digestOf(path) === digest;
}

function isUsable(stat: Stats): boolean {
  const isReadable = process.platform === "win32" || (stat.mode & 0o400) !== 0;
  return isOwn(stat) && isReadable && !isWritableByOthers(stat);
}
