import { hashTerm } from "./term-scanner.ts";

/** Numbers for terms, given in the order of first sight. Keeps the bytes, so equal hashes are told apart. */
export class TermTable {
  #slots = new Int32Array(1 << 14);
  #hashes = new Int32Array(1 << 12);
  #offsets = new Uint32Array((1 << 12) + 1);
  #bytes = new Uint8Array(1 << 16);
  #count = 0;

  /** How many terms have a number: 0 to `count - 1`. */
  get count(): number {
    return this.#count;
  }

  /**
   * The number of a term, given if it has none yet.
   *
   * @param text The bytes from `start` to `end`; upper-case ASCII letters mean lower-case ones.
   * @param hash `hashTerm` of them.
   */
  // oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
  add(text: Uint8Array, start: number, end: number, hash: number): number {
    const slot = this.#findSlot(text, start, end, hash);
    const known = (this.#slots[slot] as number) - 1;
    if (known >= 0) return known;
    const term = this.#count;
    this.#reserve(end - start);
    this.#hashes[term] = hash;
    let at = this.#offsets[term] as number;
    for (let index = start; index < end; index += 1) {
      const byte = text[index] as number;
      this.#bytes[at] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
      at += 1;
    }
    this.#offsets[term + 1] = at;
    this.#count += 1;
    this.#slots[slot] = term + 1;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return term;
  }

  /** `hashTerm` of a term by its number. */
  hashOf(term: number): number {
    return this.#hashes[term] as number;
  }

  /** The bytes of a term by its number, lower-cased; valid until the next term is added. */
  bytesOf(term: number): Uint8Array {
    return this.#bytes.subarray(this.#offsets[term], this.#offsets[term + 1]);
  }

  /** The number of a term, or -1. */
  find(term: string): number {
    const bytes = Buffer.from(term, "utf8");
    const hash = hashTerm(bytes, 0, bytes.length);
    return (this.#slots[this.#findSlot(bytes, 0, bytes.length, hash)] as number) - 1;
  }

  // oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
  #findSlot(text: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = spreadHash(hash) & mask;
    for (;;) {
      const term = (this.#slots[slot] as number) - 1;
      if (term < 0 || (this.#hashes[term] === hash && this.#isTerm(term, text, start, end)))
        return slot;
      slot = (slot + 1) & mask;
    }
  }

  // oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
  #isTerm(term: number, text: Uint8Array, start: number, end: number): boolean {
    let at = this.#offsets[term] as number;
    if ((this.#offsets[term + 1] as number) - at !== end - start) return false;
    for (let index = start; index < end; index += 1) {
      const byte = text[index] as number;
      if (this.#bytes[at] !== (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)) return false;
      at += 1;
    }
    return true;
  }

  #reserve(size: number): void {
    if (this.#count + 1 >= this.#hashes.length) {
      const hashes = new Int32Array(this.#hashes.length * 2);
      hashes.set(this.#hashes);
      this.#hashes = hashes;
      const offsets = new Uint32Array(hashes.length + 1);
      offsets.set(this.#offsets);
      this.#offsets = offsets;
    }
    const needed = (this.#offsets[this.#count] as number) + size;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (let term = 0; term < this.#count; term += 1) {
      let slot = spreadHash(this.#hashes[term] as number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = term + 1;
    }
  }
}

/** The low bits of a polynomial hash know little of the first bytes: fold the high ones in. One to one. */
export function spreadHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return mixed ^ (mixed >>> 13);
}
