import { closeSync, constants, openSync, readSync, rmSync, writeSync } from "node:fs";
import { GrowingBytes, type SectionWriter } from "../sections/index.ts";

/** How many bytes are kept in memory before they go to the disk. */
const heldBytesMax = 1 << 20;

/** Bytes that are written one after the other and then copied once: in memory while they are few, else in a file. */
export class ScratchBytes {
  readonly #path: string;
  readonly #held = new GrowingBytes();
  #descriptor: number | undefined;
  #writtenBytes = 0;

  /** @param path Of the file, if one is needed; must not exist. */
  constructor(path: string) {
    this.#path = path;
  }

  /** How many bytes there are. */
  get length(): number {
    return this.#writtenBytes + this.#held.length;
  }

  /** Where to append; `settle` is to be called after a few kilobytes. */
  get tail(): GrowingBytes {
    return this.#held;
  }

  /** Appends bytes. */
  append(bytes: Uint8Array): void {
    this.#held.append(bytes);
    this.settle();
  }

  /** Appends a whole number of 32 bits, as the arrays of this machine hold it. */
  appendUint32(value: number): void {
    this.#held.appendUint32(value);
    this.settle();
  }

  /** Writes to the disk when too much is in memory. */
  settle(): void {
    if (this.#held.length < heldBytesMax) return;
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
    this.#descriptor ??= openSync(this.#path, flags, 0o600);
    const bytes = this.#held.bytes();
    for (let at = 0; at < bytes.length;)
      at += writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#writtenBytes + at);
    this.#writtenBytes += bytes.length;
    this.#held.clear();
  }

  /** Appends all to the section that was begun. */
  copyTo(writer: SectionWriter): void {
    if (this.#descriptor !== undefined) {
      const part = new Uint8Array(heldBytesMax);
      for (let at = 0; at < this.#writtenBytes;) {
        const wanted = Math.min(part.length, this.#writtenBytes - at);
        const count = readSync(this.#descriptor, part, 0, wanted, at);
        if (count === 0) throw new Error(`"${this.#path}" was cut`);
        writer.append(part.subarray(0, count));
        at += count;
      }
    }
    writer.append(this.#held.bytes());
  }

  /** Removes the file. */
  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#path, { force: true });
  }
}
