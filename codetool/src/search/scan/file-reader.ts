import { closeSync, constants, openSync, readSync } from "node:fs";
import type { WalkedFile } from "../../files/index.ts";
import { searchableText } from "../../text/index.ts";

/** Reads file after file into one buffer: half of the time of a fresh buffer each. */
export class FileReader {
  #buffer = Buffer.allocUnsafeSlow(1 << 16);
  #raw = Buffer.alloc(0);
  #unreadableCount = 0;
  readonly #binaryFiles: WalkedFile[] = [];

  /** How many files could not be opened or read. */
  get unreadableCount(): number {
    return this.#unreadableCount;
  }

  /** The files that were read and are binary. */
  get binaryFiles(): readonly WalkedFile[] {
    return this.#binaryFiles;
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
    // A file that has grown since the walk is read up to its earlier size.
    const sizeBytesMax = file.sizeBytes + 1;
    if (this.#buffer.length < sizeBytesMax)
      this.#buffer = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(sizeBytesMax)));
    try {
      const descriptor = openSync(
        file.absolutePath,
        constants.O_RDONLY | (constants.O_NONBLOCK ?? 0),
      );
      try {
        this.#raw = this.#buffer.subarray(0, this.#fill(descriptor, file.sizeBytes));
        const text = searchableText(this.#raw);
        if (text === undefined) this.#binaryFiles.push(file);
        return text;
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // Denied, or gone since the walk: the answer says how many there were.
      this.#unreadableCount += 1;
      return undefined;
    }
  }

  #fill(descriptor: number, sizeBytes: number): number {
    let filled = 0;
    while (filled < sizeBytes) {
      const count = readSync(descriptor, this.#buffer, filled, sizeBytes - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }
}
