import { byteClasses, hashMultiplier, scanTerms, wordBytesMax } from "./term-scanner.ts";
import type { TermTable } from "./term-table.ts";

/**
 * The words of texts as they are written, each with its terms: a word is taken apart once, and looked up whole from
 * then on. Counts the words of one text at a time.
 */
export class WordTable {
  readonly #terms: TermTable;
  #slots = new Int32Array(1 << 12);
  #hashes = new Int32Array(1 << 10);
  /** Where the bytes of a word begin, and behind the last one. */
  #offsets = new Uint32Array((1 << 10) + 1);
  #bytes = new Uint8Array(1 << 14);
  /** Where the terms of a word begin in `#entries`, and behind the last one. */
  #starts = new Uint32Array((1 << 10) + 1);
  /** Terms, doubled, plus one where the term is not a compound word. */
  #entries = new Uint32Array(1 << 12);
  #count = 0;
  /** How often each word occurs in the text that is being counted, and which do, in the order of first sight. */
  #times = new Uint32Array(1 << 10);
  #seen = new Uint32Array(1 << 10);
  #seenCount = 0;

  /** @param terms Gets the terms of the words, in the order of first sight. */
  constructor(terms: TermTable) {
    this.#terms = terms;
  }

  /** Counts the words of a text. */
  countWords(text: Uint8Array): void {
    const end = text.length;
    let index = 0;
    while (index < end) {
      let byte = text[index] as number;
      if (byteClasses[byte] === 0) {
        index += 1;
        continue;
      }
      const start = index;
      let hash = 0;
      do {
        hash = (Math.imul(hash, hashMultiplier) + byte + 1) | 0;
        index += 1;
        if (index === end) break;
        byte = text[index] as number;
      } while (byteClasses[byte] !== 0);
      if (index - start > wordBytesMax) continue;
      const word = this.#numberOf(text, start, index, hash);
      const times = this.#times[word] as number;
      this.#times[word] = times + 1;
      if (times > 0) continue;
      this.#seen[this.#seenCount] = word;
      this.#seenCount += 1;
    }
  }

  /**
   * Visits the terms of the words that were counted, word by word in the order of first sight, and forgets the counts.
   *
   * @param visit Gets a term, how often its word occurs, and whether it is a simple word or a part of one: not compound.
   * @returns How many terms there were, each as often as it occurs.
   */
  takeCounts(visit: (term: number, times: number, isSimple: boolean) => void): number {
    let termCount = 0;
    for (let index = 0; index < this.#seenCount; index += 1) {
      const word = this.#seen[index] as number;
      const times = this.#times[word] as number;
      const end = this.#starts[word + 1] as number;
      this.#times[word] = 0;
      for (let at = this.#starts[word] as number; at < end; at += 1) {
        const entry = this.#entries[at] as number;
        termCount += times;
        visit(entry >>> 1, times, (entry & 1) === 1);
      }
    }
    this.#seenCount = 0;
    return termCount;
  }

  // oxlint-disable-next-line max-params -- called for each word of a tree: an object each would be garbage
  #numberOf(text: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const word = (this.#slots[slot] as number) - 1;
      if (word < 0) break;
      if (this.#hashes[word] === hash && this.#isWord(word, text, start, end)) return word;
      slot = (slot + 1) & mask;
    }
    const word = this.#count;
    this.#reserve(end - start);
    this.#hashes[word] = hash;
    const offset = this.#offsets[word] as number;
    for (let index = start; index < end; index += 1)
      this.#bytes[offset + index - start] = text[index] as number;
    this.#offsets[word + 1] = offset + end - start;
    this.#learn(word, text, start, end);
    this.#count += 1;
    this.#slots[slot] = word + 1;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return word;
  }

  // oxlint-disable-next-line max-params -- called for each word of a tree: an object each would be garbage
  #isWord(word: number, text: Uint8Array, start: number, end: number): boolean {
    const shift = (this.#offsets[word] as number) - start;
    if ((this.#offsets[word + 1] as number) - shift !== end) return false;
    for (let index = start; index < end; index += 1)
      if (this.#bytes[index + shift] !== text[index]) return false;
    return true;
  }

  /** Takes a word apart. */
  // oxlint-disable-next-line max-params -- as `#numberOf`
  #learn(word: number, text: Uint8Array, start: number, end: number): void {
    const first = this.#starts[word] as number;
    let at = first;
    // oxlint-disable-next-line max-params -- a TermSink: called for each term, an object each would be garbage
    scanTerms(text, start, end, (source, from, to, hash) => {
      if (at === this.#entries.length) this.#entries = larger(this.#entries);
      this.#entries[at] = this.#terms.add(source, from, to, hash) * 2 + 1;
      at += 1;
      // The whole word comes first; a part of it shows that it is compound. Words beyond ASCII have other bytes.
      if (at === first + 2 && source === text)
        this.#entries[first] = (this.#entries[first] as number) & ~1;
    });
    this.#starts[word + 1] = at;
  }

  #reserve(sizeBytes: number): void {
    if (this.#count === this.#hashes.length) {
      const hashes = new Int32Array(this.#hashes.length * 2);
      hashes.set(this.#hashes);
      this.#hashes = hashes;
      this.#offsets = larger(this.#offsets, hashes.length + 1);
      this.#starts = larger(this.#starts, hashes.length + 1);
      this.#times = larger(this.#times);
      this.#seen = larger(this.#seen);
    }
    const needed = (this.#offsets[this.#count] as number) + sizeBytes;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (let word = 0; word < this.#count; word += 1) {
      const hash = this.#hashes[word] as number;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = word + 1;
    }
  }
}

function larger(
  array: Uint32Array<ArrayBuffer>,
  length = array.length * 2,
): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(array);
  return copy;
}
