import { Buffer } from "node:buffer";

/** A text that came line by line, as far as it was kept. */
export interface CapturedText {
  /** The text; where lines are missing, the first and the last of it with one line between that says how many. */
  readonly text: string;
  /** Lines that came, a last one without a newline too. */
  readonly lineCount: number;
  /** Bytes that came. */
  readonly sizeBytes: number;
  /** Lines that are not in `text`, 0 when it is whole. */
  readonly omittedLineCount: number;
}

/** Whole lines that came together, or a piece of a line that is too long to hold back. */
export interface OutputBlock {
  readonly bytes: Buffer;
  /** Lines that end in it. */
  readonly lineCount: number;
}

/** The byte that ends a line. */
const newline = 0x0a;

/**
 * Keeps the first and the last lines of a text within a bound, and counts all of it. Half of the bound is for the head;
 * the tail is a window that moves on, block by block.
 */
export class BoundedLines {
  readonly #headSizeBytesMax: number;
  readonly #tailSizeBytesMax: number;
  readonly #head: Buffer[] = [];
  #headSizeBytes = 0;
  #isHeadFull = false;
  #tail: OutputBlock[] = [];
  #tailStart = 0;
  #tailSizeBytes = 0;
  #lineCount = 0;
  #sizeBytes = 0;
  #omittedLineCount = 0;
  #isCut = false;

  /** @param sizeBytesMax How much is kept at most. */
  constructor(sizeBytesMax: number) {
    this.#headSizeBytesMax = Math.ceil(sizeBytesMax / 2);
    this.#tailSizeBytesMax = sizeBytesMax - this.#headSizeBytesMax;
  }

  /** Takes the next block; its bytes must be its own. */
  add(block: OutputBlock): void {
    this.#sizeBytes += block.bytes.length;
    this.#lineCount += block.lineCount;
    const rest = this.#isHeadFull ? block : this.#fillHead(block);
    if (rest.bytes.length === 0) return;
    this.#tail.push(rest);
    this.#tailSizeBytes += rest.bytes.length;
    while (this.#tailSizeBytes > this.#tailSizeBytesMax && this.#tailStart < this.#tail.length)
      this.#dropFirstOfTail();
  }

  /** @returns The rest that did not fit; it begins at the start of a line if there is one. */
  #fillHead(block: OutputBlock): OutputBlock {
    const room = this.#headSizeBytesMax - this.#headSizeBytes;
    const { bytes } = block;
    if (bytes.length <= room) {
      this.#head.push(bytes);
      this.#headSizeBytes += bytes.length;
      return { bytes: bytes.subarray(0, 0), lineCount: 0 };
    }
    this.#isHeadFull = true;
    const end = room === 0 ? 0 : bytes.lastIndexOf(newline, room - 1) + 1;
    this.#head.push(bytes.subarray(0, end));
    this.#headSizeBytes += end;
    return { bytes: bytes.subarray(end), lineCount: block.lineCount - countNewlines(bytes, end) };
  }

  #dropFirstOfTail(): void {
    const first = this.#tail[this.#tailStart];
    if (first === undefined) return;
    this.#tailStart += 1;
    this.#tailSizeBytes -= first.bytes.length;
    this.#omittedLineCount += first.lineCount;
    this.#isCut = true;
    if (this.#tailStart > 64) {
      this.#tail = this.#tail.slice(this.#tailStart);
      this.#tailStart = 0;
    }
  }

  /** The text so far. Bytes that are not UTF-8 become U+FFFD. */
  read(): CapturedText {
    const head = Buffer.concat(this.#head).toString("utf8");
    const tailBlocks = this.#tail.slice(this.#tailStart);
    const tail = Buffer.concat(tailBlocks.map(({ bytes }) => bytes)).toString("utf8");
    const omitted = this.#omittedLineCount;
    const gap = `${head === "" || head.endsWith("\n") ? "" : "\n"}[${omitted} lines omitted]\n`;
    return {
      text: this.#isCut ? `${head}${gap}${tail}` : head + tail,
      lineCount: this.#lineCount,
      sizeBytes: this.#sizeBytes,
      omittedLineCount: omitted,
    };
  }
}

/** Counts the newlines before an offset. */
export function countNewlines(bytes: Buffer, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1 && at < end; at = bytes.indexOf(newline, at + 1))
    count += 1;
  return count;
}
