import { Buffer } from "node:buffer";
import { countNewlines, type OutputBlock } from "./bounded-lines.ts";

/** Text without a newline is passed on when it is longer than this. */
const pendingSizeBytesMax = 64 * 1024;
const newline = 0x0a;

/**
 * Cuts a stream at the ends of lines, so that two streams can be merged without putting a line of one into a line of the
 * other.
 */
export class LineSplitter {
  readonly #onBlock: (block: OutputBlock) => void;
  #pending: Buffer[] = [];
  #pendingSizeBytes = 0;
  #isInsideLine = false;

  /** @param onBlock Gets whole lines, or a piece of a line that is too long. */
  constructor(onBlock: (block: OutputBlock) => void) {
    this.#onBlock = onBlock;
  }

  /** Takes the next bytes; they are copied. */
  push(chunk: Buffer): void {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) this.#emit(chunk.subarray(0, end), countNewlines(chunk, end));
    if (end === chunk.length) return;
    const rest = chunk.subarray(end);
    if (this.#pendingSizeBytes + rest.length > pendingSizeBytesMax) {
      this.#emit(rest, 0);
      this.#isInsideLine = true;
      return;
    }
    this.#pending.push(Buffer.from(rest));
    this.#pendingSizeBytes += rest.length;
  }

  /** Passes on the text after the last newline; it counts as a line. */
  end(): void {
    if (this.#pendingSizeBytes > 0 || this.#isInsideLine) this.#emit(Buffer.alloc(0), 1);
  }

  #emit(bytes: Buffer, lineCount: number): void {
    // Always copied: kept bytes must not hold on to the buffer that they were read into.
    const own = Buffer.concat([...this.#pending, bytes]);
    this.#pending = [];
    this.#pendingSizeBytes = 0;
    this.#isInsideLine = false;
    this.#onBlock({ bytes: own, lineCount });
  }
}
