/** Where the lines of a text begin, counted from 1; a last line break begins no line. */
export class TextLines {
  readonly #starts: number[] = [0];
  readonly #end: number;

  constructor(text: Buffer) {
    this.#end = text.length;
    for (
      let at = text.indexOf(0x0a);
      at >= 0 && at + 1 < text.length;
      at = text.indexOf(0x0a, at + 1)
    )
      this.#starts.push(at + 1);
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Byte offset of a line; the end of the text for one behind the last. */
  startOf(line1: number): number {
    return this.#starts[line1 - 1] ?? this.#end;
  }

  /** The line of a byte offset. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}
