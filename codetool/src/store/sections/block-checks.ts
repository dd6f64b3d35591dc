import { checksumOf } from "../../text/index.ts";

/** Bytes that have a checksum together. */
const blockBytes = 16 * 1024;

/** Sums of blocks, made while the bytes are written one after the other. */
export class BlockSums {
  readonly #sums: number[] = [];
  readonly #block = new Uint8Array(blockBytes);
  #filled = 0;

  /** Adds the next bytes. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#filled === 0 && bytes.length - at >= blockBytes) {
        this.#sums.push(checksumOf(bytes.subarray(at, at + blockBytes)));
        at += blockBytes;
        continue;
      }
      const part = bytes.subarray(at, at + blockBytes - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === blockBytes) this.#endBlock();
    }
  }

  /** The sums; the last block ends where the bytes end. */
  finish(): Uint32Array {
    if (this.#filled > 0) this.#endBlock();
    return Uint32Array.from(this.#sums);
  }

  #endBlock(): void {
    this.#sums.push(checksumOf(this.#block.subarray(0, this.#filled)));
    this.#filled = 0;
  }
}

/** Checks bytes that are read against the checksums of their blocks, each block once. */
export class BlockChecks {
  readonly #sums: Uint32Array;
  readonly #endBytes: number;
  readonly #isChecked: Uint8Array;

  /**
   * @param sums As `BlockSums` made them.
   * @param endBytes Where the last block ends.
   */
  constructor(sums: Uint32Array, endBytes: number) {
    this.#sums = sums;
    this.#endBytes = endBytes;
    this.#isChecked = new Uint8Array(sums.length);
  }

  /**
   * Says whether bytes are unchanged since they were written.
   *
   * @param bytes Read from `start` on.
   * @param read Reads the rest of the blocks in which they begin and end.
   */
  check(
    bytes: Uint8Array,
    start: number,
    read: (block: Uint8Array, from: number) => void,
  ): boolean {
    const end = start + bytes.length;
    return this.checkBlocks(start, end, (from, to) => {
      if (from >= start && to <= end) return bytes.subarray(from - start, to - start);
      const block = new Uint8Array(to - from);
      read(block, from);
      return block;
    });
  }

  /**
   * Says whether the blocks of a range are unchanged since they were written.
   *
   * @param blockOf Gives the bytes of a block.
   */
  checkBlocks(
    start: number,
    end: number,
    blockOf: (from: number, to: number) => Uint8Array,
  ): boolean {
    if (end > this.#endBytes) return false;
    for (let from = start - (start % blockBytes); from < end; from += blockBytes) {
      const number = from / blockBytes;
      if (this.#isChecked[number] === 1) continue;
      const block = blockOf(from, Math.min(from + blockBytes, this.#endBytes));
      if (checksumOf(block) !== this.#sums[number]) return false;
      this.#isChecked[number] = 1;
    }
    return true;
  }
}
