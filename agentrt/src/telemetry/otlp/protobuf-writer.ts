const sizeBytesAtFirst = 16_384;
const lengthSizeBytes = 4;

/** Writes messages of protobuf into one growing piece of memory. */
export class ProtobufWriter {
  #bytes = new Uint8Array(sizeBytesAtFirst);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  readonly #encoder = new TextEncoder();

  /** Writes a field that is a message. */
  message(field: number, write: () => void): void {
    this.#tag(field, 2);
    // Its length is known behind it. A varint of always four bytes is a varint, too: 28 bits.
    this.#reserve(lengthSizeBytes);
    const lengthAt = this.#at;
    this.#at += lengthSizeBytes;
    write();
    const sizeBytes = this.#at - lengthAt - lengthSizeBytes;
    for (let index = 0; index < lengthSizeBytes; index += 1) {
      const isLast = index === lengthSizeBytes - 1;
      this.#bytes[lengthAt + index] = ((sizeBytes >>> (7 * index)) & 0x7f) | (isLast ? 0 : 0x80);
    }
  }

  /** Writes a field that is text. */
  text(field: number, text: string): void {
    this.#tag(field, 2);
    // A character of UTF-16 is at most three bytes of UTF-8.
    this.#reserve(text.length * 3 + 5);
    const isShort = text.length * 3 < 0x80;
    if (isShort) {
      const { written } = this.#encoder.encodeInto(text, this.#bytes.subarray(this.#at + 1));
      this.#bytes[this.#at] = written;
      this.#at += written + 1;
      return;
    }
    const encoded = this.#encoder.encode(text);
    this.#varint(encoded.length);
    this.#bytes.set(encoded, this.#at);
    this.#at += encoded.length;
  }

  /** Writes a field of bytes that are given as hexadecimal digits. */
  hex(field: number, digits: string): void {
    this.#tag(field, 2);
    const sizeBytes = digits.length / 2;
    this.#varint(sizeBytes);
    this.#reserve(sizeBytes);
    for (let index = 0; index < sizeBytes; index += 1) {
      const pair = digits.slice(index * 2, index * 2 + 2);
      this.#bytes[this.#at + index] = Number.parseInt(pair, 16);
    }
    this.#at += sizeBytes;
  }

  /** Writes a field that is a number of 0 to 2^31. */
  varint(field: number, value: number): void {
    this.#tag(field, 0);
    this.#varint(value);
  }

  /** Writes a field that is a whole number, which may be below 0. */
  int64(field: number, value: number): void {
    this.#tag(field, 0);
    let rest = BigInt.asUintN(64, BigInt(value));
    this.#reserve(10);
    while (rest >= 0x80n) {
      this.#bytes[this.#at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#at++] = Number(rest);
  }

  /** Writes a field of 64 bits. */
  fixed64(field: number, value: bigint): void {
    this.#tag(field, 1);
    this.#reserve(8);
    this.#view.setBigUint64(this.#at, value, true);
    this.#at += 8;
  }

  /** Writes a field of 32 bits. */
  fixed32(field: number, value: number): void {
    this.#tag(field, 5);
    this.#reserve(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  /** Writes a field that is a number with fractions. */
  double(field: number, value: number): void {
    this.#tag(field, 1);
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** @returns All that was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  #reserve(sizeBytes: number): void {
    if (this.#at + sizeBytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + sizeBytes));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
