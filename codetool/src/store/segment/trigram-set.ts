/** Bytes of bits that are checked together: if none is set, they are skipped. */
const pageBytes = 64;

/** Which three bytes, letters folded to lower case, occur next to each other in a corpus: one bit each, 2 MiB. */
export class TrigramSet {
  readonly #bits = new Uint8Array(2 ** 21);
  /** 1 for each page that may have a bit set: the trigrams of a few files lie in few. */
  readonly #pages = new Uint8Array(2 ** 21 / pageBytes);

  /** Adds those of a text. */
  addText(text: Uint8Array): void {
    let window = 0;
    for (let index = 0; index < text.length; index += 1) {
      window = ((window << 8) | fold(text[index] as number)) & 0xff_ff_ff;
      if (index < 2) continue;
      this.#bits[window >>> 3] = (this.#bits[window >>> 3] as number) | (1 << (window & 7));
      this.#pages[window >>> 9] = 1;
    }
  }

  /** The bits. */
  get bits(): Uint8Array {
    return this.#bits;
  }

  /** Adds those of another set. */
  addBits(bits: Uint8Array): void {
    for (let index = 0; index < this.#bits.length; index += 1) {
      const added = bits[index] as number;
      if (added === 0) continue;
      this.#bits[index] = (this.#bits[index] as number) | added;
      this.#pages[Math.floor(index / pageBytes)] = 1;
    }
  }

  /** How many there are. */
  count(): number {
    let count = 0;
    for (let page = 0; page < this.#pages.length; page += 1) {
      if (this.#pages[page] === 0) continue;
      for (let index = page * pageBytes; index < (page + 1) * pageBytes; index += 1)
        count += bitCounts[this.#bits[index] as number] as number;
    }
    return count;
  }

  /** Calls a function with each, as a number of 24 bits. */
  forEach(visit: (trigram: number) => void): void {
    // By number, not by iterator: there are two million, and an iterator makes an object for each.
    for (let page = 0; page < this.#pages.length; page += 1) {
      if (this.#pages[page] === 0) continue;
      for (let index = page * pageBytes; index < (page + 1) * pageBytes; index += 1) {
        const byte = this.#bits[index] as number;
        for (let bit = 0; byte >>> bit !== 0; bit += 1)
          if (((byte >>> bit) & 1) === 1) visit(index * 8 + bit);
      }
    }
  }
}

const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest !== 0; rest >>>= 1) count += rest & 1;
  return count;
});

function fold(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

/** The trigrams of a text, letters folded, each once. */
export function trigramsOf(text: Uint8Array): number[] {
  const found = new Set<number>();
  let window = 0;
  for (let index = 0; index < text.length; index += 1) {
    window = ((window << 8) | fold(text[index] as number)) & 0xff_ff_ff;
    if (index >= 2) found.add(window);
  }
  return [...found];
}
