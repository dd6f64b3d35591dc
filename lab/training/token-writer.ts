import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scanTokens } from "../../codetool/src/model/scan-tokens.ts";

/** A growing list of 32-bit numbers. */
export class NumberList {
  #numbers = new Uint32Array(1 << 16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(...numbers: readonly number[]): void {
    if (this.#length + numbers.length > this.#numbers.length) {
      const grown = new Uint32Array(this.#numbers.length * 2);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers.set(numbers, this.#length);
    this.#length += numbers.length;
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#numbers.buffer, 0, this.#length * 4);
  }
}

/** A stretch of the stream: begin, and end (exclusive). */
export type TokenRange = readonly [number, number];

/** A text in the stream: which tokens a range of its bytes became. */
export interface AddedText {
  readonly range: TokenRange;
  readonly rangeOf: (startByte: number, endByte: number) => TokenRange;
}

/** Numbers for words, in the order of first sight, and the stream of them. */
export class TokenWriter {
  readonly #numbers = new Map<string, number>();
  readonly #stream = new NumberList();

  /** Appends the tokens of a text. */
  add(text: Uint8Array): AddedText {
    const start = this.#stream.length;
    const offsets: number[] = [];
    scanTokens(text, (source, from, to) => {
      const word = Buffer.from(source.buffer, source.byteOffset + from, to - from)
        .toString("utf8")
        .toLowerCase();
      let number = this.#numbers.get(word);
      if (number === undefined) {
        number = this.#numbers.size;
        this.#numbers.set(word, number);
      }
      this.#stream.push(number);
      // Words beyond ASCII come in a buffer of their own; they count as where the one before is.
      offsets.push(source === text ? from : (offsets.at(-1) ?? 0));
    });
    const placeOf = (byte: number): number => start + firstAtLeast(offsets, byte);
    return {
      range: [start, this.#stream.length],
      rangeOf: (startByte, endByte) => [placeOf(startByte), placeOf(endByte)],
    };
  }

  /** Writes `stream.u32`, the lists as `<name>.u32`, and `vocabulary.txt`. */
  write(folder: string, lists: { readonly [name: string]: NumberList }): void {
    writeFileSync(join(folder, "vocabulary.txt"), [...this.#numbers.keys()].join("\n"));
    for (const [name, list] of Object.entries({ stream: this.#stream, ...lists }))
      writeFileSync(join(folder, `${name}.u32`), list.bytes());
  }
}

/** The place of the first number that is `wanted` or more, in ascending numbers. */
function firstAtLeast(numbers: readonly number[], wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
