import { closeSync, constants, openSync, readSync } from "node:fs";
import type { WalkedFile } from "../../files/index.ts";
import { searchableText } from "../../text/index.ts";

/** A file that has grown beyond this since the walk is not read, bytes. */
const grownBytesMax = 64 * 1024 * 1024;

const roomBytesMin = 1 << 16;
const noBytes = Buffer.alloc(0);

/** Reads file after file into one buffer: half of the time of a fresh buffer each. */
export class FileReader {
  /** Made with the first file: many a reader reads none. */
  #buffer = noBytes;
  #raw = noBytes;
  readonly #unreadableFiles: WalkedFile[] = [];
  readonly #binaryFiles: WalkedFile[] = [];

  /** How many files could not be opened or read. */
  get unreadableCount(): number {
    return this.#unreadableFiles.length;
  }

  /** The files that were read and are binary. */
  get binaryFiles(): readonly WalkedFile[] {
    return this.#binaryFiles;
  }

  /** The files that could not be opened or read. */
  get unreadableFiles(): readonly WalkedFile[] {
    return this.#unreadableFiles;
  }

  /** The bytes of the file that was read last, as they are in the file; valid until the next call. */
  get raw(): Buffer {
    return this.#raw;
  }

  /**
   * Reads a file that a walk found.
   *
   * @returns Its text in UTF-8, valid until the next call; `undefined` for a binary file and one that cannot be read.
   */
  readText(file: WalkedFile): Buffer | undefined {
    try {
      const descriptor = openSync(
        file.absolutePath,
        constants.O_RDONLY | (constants.O_NONBLOCK ?? 0),
      );
      try {
        const sizeBytes = this.#readToEnd(descriptor, file.sizeBytes);
        this.#raw = this.#buffer.subarray(0, sizeBytes);
        const text = searchableText(this.#raw);
        if (text === undefined) this.#binaryFiles.push(file);
        return text;
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // Denied, or gone since the walk: the answer says how many there were.
      this.#unreadableFiles.push(file);
      return undefined;
    }
  }

  /** Reads until the end: a byte more than expected is asked for, so that one call shows whether the file has grown. */
  #readToEnd(descriptor: number, expectedBytes: number): number {
    let filled = 0;
    for (;;) {
      const wanted = filled <= expectedBytes ? expectedBytes + 1 : 2 * filled;
      this.#makeRoom(wanted, filled);
      const count = readSync(descriptor, this.#buffer, filled, wanted - filled, null);
      filled += count;
      if (count === 0 || filled === expectedBytes) return filled;
      if (filled > expectedBytes + grownBytesMax) throw new Error("grown");
    }
  }

  #makeRoom(sizeBytes: number, filled: number): void {
    if (this.#buffer.length >= sizeBytes) return;
    const roomBytes = Math.max(roomBytesMin, 2 ** Math.ceil(Math.log2(sizeBytes)));
    const larger = Buffer.allocUnsafeSlow(roomBytes);
    this.#buffer.copy(larger, 0, 0, filled);
    this.#buffer = larger;
  }
}
