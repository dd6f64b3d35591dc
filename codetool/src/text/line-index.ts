const lineFeed = 0x0a;

/**
 * Counts the lines of a text by its line feeds; a last line without one counts, an empty last line does not.
 */
export function countLines(bytes: Uint8Array): number {
  let count = 0;
  let position = bytes.indexOf(lineFeed);
  while (position !== -1) {
    count += 1;
    position = bytes.indexOf(lineFeed, position + 1);
  }
  return bytes.length > 0 && bytes[bytes.length - 1] !== lineFeed ? count + 1 : count;
}

/** Where each line of a text begins: from byte offset to line and back. Lines count from 1. */
export class LineIndex {
  readonly #starts: Uint32Array;
  readonly #sizeBytes: number;
  readonly lineCount: number;

  constructor(bytes: Uint8Array) {
    this.lineCount = countLines(bytes);
    this.#sizeBytes = bytes.length;
    this.#starts = new Uint32Array(this.lineCount);
    let start = 0;
    for (let line = 0; line < this.lineCount; line += 1) {
      this.#starts[line] = start;
      start = bytes.indexOf(lineFeed, start) + 1;
    }
  }

  /**
   * The bytes of lines, end exclusive, with the line feed of the last where it has one.
   *
   * @param startLine1 From 1; `endLine1` is included and at most `lineCount`.
   */
  byteRange(startLine1: number, endLine1: number): { startByte: number; endByte: number } {
    return {
      startByte: this.#starts[startLine1 - 1] ?? this.#sizeBytes,
      endByte: this.#starts[endLine1] ?? this.#sizeBytes,
    };
  }

  /** The line that holds a byte offset; the last line for offsets past the end, 1 for an empty text. */
  lineAt(byteOffset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= byteOffset) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  }
}
