import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type ContentOfFile, damagedError, type EmbeddedFile } from "./unpack-file.ts";

/** What is used of the runtime that the executable is built on. */
interface ForeignFunctions {
  readonly dlopen: (
    library: string,
    symbols: {
      readonly [name: string]: { readonly args: readonly string[]; readonly returns: string };
    },
  ) => { readonly symbols: { readonly [name: string]: (...args: readonly number[]) => number } };
  readonly ptr: (bytes: Uint8Array) => number;
}

/** The files that this process has open, each a link to what it is. */
const openFiles = "/proc/self/fd";
/** Gives the XXH3 of bytes. */
type DigestOfBytes = (bytes: Uint8Array) => string;
/** MFD_CLOEXEC: programs that this one starts do not get it. */
const closedInChildren = 0x1;

/** What unpacks into memory. */
interface MemoryUnpacking {
  readonly digestOf: DigestOfBytes;
  readonly contentOf: ContentOfFile;
}

/**
 * Embedded libraries, unpacked into memory that only this process can use. It costs each process the time and memory again, so
 * it is what is left where no folder can be written to and loaded from. Threads share it.
 */
export class MemoryFiles {
  readonly #unpacking: MemoryUnpacking;
  /** Of this process, with a name for each file. */
  #names: string | undefined;

  constructor(unpacking: MemoryUnpacking) {
    this.#unpacking = unpacking;
  }

  /**
   * Unpacks a library, and gives a path that it can be loaded from. The path does not name a file.
   *
   * @throws Error on other systems than Linux, without `/proc`, and where the system allows no code in such memory.
   */
  pathOf(file: EmbeddedFile): string {
    const name = `codetool-${file.digest}`;
    const known = findMemoryFile(name);
    if (known !== undefined) return known;
    const { contentOf, digestOf } = this.#unpacking;
    const content = contentOf(file);
    if (digestOf(content) !== file.digest) throw damagedError(file);
    const descriptor = createMemoryFile(name);
    try {
      writeFileSync(descriptor, content);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return `${openFiles}/${descriptor}`;
  }

  /**
   * The same, for a loader that takes only names of files: what it finds there is an empty file, and the system, which
   * loads it, writes the processor's name for `$PLATFORM` (see ld.so(8)), and finds a link to the file in memory.
   *
   * @param symbol A function of the library.
   * @throws Error as `pathOf`, and where no folder can be written to.
   */
  namedPathOf(file: EmbeddedFile, symbol: string): string {
    const target = this.pathOf(file);
    this.#names ??= makeNames();
    const path = join(this.#names, "$PLATFORM", file.name);
    try {
      writeFileSync(path, "");
      symlinkSync(target, join(this.#names, platformName, file.name));
      // That loader ends the process over a file that does not load, so it is tried here first.
      foreign().dlopen(path, { [symbol]: { args: [], returns: "ptr" } });
    } catch (error) {
      this.removeNames();
      throw error;
    }
    return path;
  }

  /** Removes the names, when all is loaded. */
  removeNames(): void {
    if (this.#names !== undefined) rmSync(this.#names, { recursive: true, force: true });
    this.#names = undefined;
  }
}

const platformName = process.arch === "arm64" ? "aarch64" : "x86_64";

function makeNames(): string {
  const folders = [tmpdir(), "/var/tmp", "/dev/shm"];
  const folder = folders.find(isWritable);
  if (folder === undefined)
    throw new Error(
      `no folder can be written to (${folders.join(", ")}): set CODETOOL_CACHE_DIR or TMPDIR to one that can`,
    );
  const names = mkdtempSync(join(folder, "codetool-"));
  mkdirSync(join(names, "$PLATFORM"));
  mkdirSync(join(names, platformName));
  return names;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // Another one may be.
    return false;
  }
}

function findMemoryFile(name: string): string | undefined {
  if (process.platform !== "linux") throw new Error("only Linux has files in memory");
  return readdirSync(openFiles)
    .map((descriptor) => `${openFiles}/${descriptor}`)
    .find((path) => linkOf(path).startsWith(`/memfd:${name} `));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // The folder was read through a file that is closed now.
    return "";
  }
}

function createMemoryFile(name: string): number {
  const { dlopen, ptr } = foreign();
  const library = dlopen("libc.so.6", { memfd_create: { args: ["ptr", "u32"], returns: "i32" } });
  const create = library.symbols["memfd_create"];
  const descriptor = create?.(ptr(Buffer.from(`${name}\0`)), closedInChildren) ?? -1;
  if (descriptor < 0) throw new Error("the system gives no file in memory");
  return descriptor;
}

function foreign(): ForeignFunctions {
  const { Bun: runtime } = globalThis as { readonly Bun?: { readonly FFI?: ForeignFunctions } };
  if (runtime?.FFI === undefined) throw new Error("this runtime makes no files in memory");
  return runtime.FFI;
}
