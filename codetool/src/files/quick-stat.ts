import { closeSync, constants, openSync } from "node:fs";
import process from "node:process";

/** What is used of the runtime that the executable is built on. */
interface ForeignFunctions {
  dlopen(
    library: string,
    symbols: { readonly statx: { readonly args: readonly string[]; readonly returns: string } },
  ): { readonly symbols: { readonly statx: Statx } };
  ptr(bytes: Uint8Array): number;
}

/** statx(2): folder, address of a path, flags, mask, address of the result; 0 when there is something. */
// oxlint-disable-next-line max-params -- the system call's own signature
type Statx = (folder: number, path: number, flags: number, mask: number, out: number) => number;

/** `struct statx` of linux/stat.h: its size, and where its fields lie, in words of four bytes. */
const resultBytes = 256;
const linkCountAt = 4;
const modeAt = 7;
const inodeAt = 8;
const sizeAt = 10;
/** Seconds, and two words further the nanoseconds: of the inode's change, and of the content's. */
const changedAt = 24;
const modifiedAt = 28;
/** STATX_TYPE, STATX_NLINK, STATX_MTIME, STATX_CTIME, STATX_INO and STATX_SIZE. */
const mask = 0x1 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200;
/** AT_EMPTY_PATH: a path of nothing is the folder itself. AT_SYMLINK_NOFOLLOW: as `lstat`. */
const flags = 0x1000 | 0x100;
/** S_IFMT and S_IFREG of `st_mode`. */
const typeBits = 0xf0_00;
const regularFile = 0x80_00;

/**
 * Reads the times of many files below a folder in two thirds of the time of `statSync`: one system call each, on paths in
 * bytes, without an object. It works on Linux, in the executable.
 */
export class QuickStat implements Disposable {
  readonly #statx: Statx;
  readonly #folder: number;
  readonly #start: number;
  readonly #out = new Uint32Array(resultBytes / 4);
  readonly #outAt: number;
  /** Kept: its address is in use. */
  readonly #paths: Uint8Array;

  private constructor(foreign: ForeignFunctions, folder: number, paths: Uint8Array) {
    this.#statx = statxOf(foreign);
    this.#folder = folder;
    this.#paths = paths;
    this.#start = paths.length === 0 ? 0 : foreign.ptr(paths);
    this.#outAt = foreign.ptr(new Uint8Array(this.#out.buffer));
  }

  /** Whether the system and the runtime offer this, as far as that shows without a try. */
  static isOffered(): boolean {
    return runtimeHere()?.FFI !== undefined && process.platform === "linux";
  }

  /**
   * @param root Absolute path of the folder.
   * @param paths Relative to it, each with a NUL behind.
   * @returns `undefined` where the system or the runtime does not offer this.
   */
  static open(root: string, paths: Uint8Array): QuickStat | undefined {
    const foreign = runtimeHere()?.FFI;
    if (foreign === undefined || !QuickStat.isOffered()) return undefined;
    let folder: number | undefined;
    try {
      folder = openSync(root, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
      return new QuickStat(foreign, folder, paths);
    } catch {
      // Another C library, or a root that cannot be opened: the caller then uses `statSync`, which reports errors.
      if (folder !== undefined) closeSync(folder);
      return undefined;
    }
  }

  /**
   * Looks at a file or folder; a link is looked at itself.
   *
   * @param start Where its path begins.
   * @returns Whether there is one.
   */
  look(start: number): boolean {
    if (start >= this.#paths.length) return false;
    return this.#statx(this.#folder, this.#start + start, flags, mask, this.#outAt) === 0;
  }

  /** Whether what was looked at last has these times, milliseconds since the Unix epoch, and inode, as `lstatSync` says them. */
  hasTimes(modifiedMs: number, changedMs: number, inode: number): boolean {
    return (
      this.#timeAt(modifiedAt) === modifiedMs &&
      this.#timeAt(changedAt) === changedMs &&
      this.#longAt(inodeAt) === inode
    );
  }

  /** Whether what was looked at last is a regular file of a size. */
  isFileOf(sizeBytes: number): boolean {
    const isFile = ((this.#out[modeAt] as number) & typeBits) === regularFile;
    return isFile && this.#longAt(sizeAt) === sizeBytes;
  }

  /** Whether what was looked at last has further names. */
  isLinked(): boolean {
    return (this.#out[linkCountAt] as number) > 1;
  }

  #timeAt(word: number): number {
    return this.#longAt(word) * 1000 + (this.#out[word + 2] as number) / 1e6;
  }

  /** A number of two words: sizes and times are below 2^53, and a larger inode is rounded as `lstatSync` rounds it. */
  #longAt(word: number): number {
    return (this.#out[word] as number) + (this.#out[word + 1] as number) * 2 ** 32;
  }

  [Symbol.dispose](): void {
    closeSync(this.#folder);
  }
}

let statxHere: Statx | undefined;

/** Made once: that takes a millisecond. */
function statxOf(foreign: ForeignFunctions): Statx {
  const args = ["i32", "ptr", "i32", "u32", "ptr"];
  statxHere ??= foreign.dlopen("libc.so.6", { statx: { args, returns: "i32" } }).symbols.statx;
  return statxHere;
}

function runtimeHere(): { readonly FFI?: ForeignFunctions } | undefined {
  const { Bun: runtime } = globalThis as { readonly Bun?: { readonly FFI?: ForeignFunctions } };
  return runtime;
}
