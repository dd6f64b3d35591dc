/** A column of whole numbers that grows as it is filled. */
export class GrowingColumn {
  #values = new Uint32Array(1 << 10);
  #length = 0;

  /** How many values there are. */
  get length(): number {
    return this.#length;
  }

  /** Appends a value, 0 to 2^32 - 1. */
  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** The values; they share the memory of the column. */
  values(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}

/** Longer ranges are copied at once. */
const rangeCopiedMax = 48;

/** Bytes that grow as they are filled. */
export class GrowingBytes {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  /** Appends bytes. */
  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends the bytes of an array from `start` to before `end`. */
  appendRange(bytes: Uint8Array, start: number, end: number): void {
    // Making a view takes longer than copying a few bytes.
    if (end - start > rangeCopiedMax) {
      this.append(bytes.subarray(start, end));
      return;
    }
    this.reserve(end - start);
    for (let at = start; at < end; at += 1) {
      this.#bytes[this.#length] = bytes[at] as number;
      this.#length += 1;
    }
  }

  /** Appends a whole number in groups of seven bits, the lowest first. */
  appendVarint(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length] = (rest % 0x80) | 0x80;
      this.#length += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  /** Appends a whole number of 32 bits, as the arrays of this machine hold it: the lowest byte first. */
  appendUint32(value: number): void {
    this.reserve(4);
    this.#bytes[this.#length] = value;
    this.#bytes[this.#length + 1] = value >>> 8;
    this.#bytes[this.#length + 2] = value >>> 16;
    this.#bytes[this.#length + 3] = value >>> 24;
    this.#length += 4;
  }

  /** Reserves room, so that the next appends do not copy the bytes again and again. */
  reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  /** The bytes; they share the memory. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets the bytes, and keeps the room. */
  clear(): void {
    this.#length = 0;
  }
}
