const sizeBytesFirst = 256;

/** Writes a message of protocol buffers. */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(sizeBytesFirst);
  #length = 0;

  /** The message so far. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes a whole number of 0 or more, a truth value, or a member of an enumeration. */
  varint(number: number, value: number): this {
    this.#number(number * 8);
    this.#number(value);
    return this;
  }

  double(number: number, value: number): this {
    this.#number(number * 8 + 1);
    this.#room(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
    return this;
  }

  text(number: number, value: string): this {
    const size = Buffer.byteLength(value);
    this.#number(number * 8 + 2);
    this.#number(size);
    this.#room(size);
    this.#length += this.#bytes.write(value, this.#length, "utf8");
    return this;
  }

  bytes(number: number, value: Uint8Array): this {
    this.#number(number * 8 + 2);
    this.#number(value.byteLength);
    this.#room(value.byteLength);
    this.#bytes.set(value, this.#length);
    this.#length += value.byteLength;
    return this;
  }

  /** Writes a message within this one; its length goes in front when it is known. */
  nested(number: number, write: (writer: this) => void): this {
    this.#number(number * 8 + 2);
    const start = this.#length;
    write(this);
    const size = this.#length - start;
    const prefixSize = varintSize(size);
    this.#room(prefixSize);
    this.#bytes.copyWithin(start + prefixSize, start, this.#length);
    this.#length = start;
    this.#number(size);
    this.#length += size;
    return this;
  }

  #number(value: number): void {
    this.#room(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length] = (rest % 128) + 0x80;
      this.#length += 1;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  #room(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + size));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) size += 1;
  return size;
}
