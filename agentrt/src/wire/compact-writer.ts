import { type IdForm, uuidForm } from "./id-form.ts";

/** Room for the head of a message: more than all its texts can take. */
const scratchSizeBytes = 64 * 1024;
const scratch = Buffer.alloc(scratchSizeBytes);
/** Most characters of a text in a head. */
export const textLengthMax = 1024;
/** Most characters in front of a UUID. */
const prefixLengthMax = 64;
/** Shorter ones have their length in their first byte. */
const shortLength = 32;

/** First bytes of MessagePack's values. */
export const codes = {
  null: 0xc0,
  bytes: 0xc4,
  double: 0xcb,
  uint32: 0xce,
  shortText: 0xa0,
  text16: 0xda,
  array16: 0xdc,
  pair: 0x92,
} as const;

/** Writes the head of one message after the other, as values of MessagePack. One at a time: all share their room. */
export class CompactWriter {
  #end = 0;

  /** Begins another one. */
  begin(valueCount: number): void {
    scratch[0] = codes.array16;
    this.#end = scratch.writeUInt16BE(valueCount, 1);
  }

  /** Writes a whole number from 0 to 127. */
  small(value: number): void {
    scratch[this.#end] = value;
    this.#end += 1;
  }

  null(): void {
    this.small(codes.null);
  }

  double(value: number | null): void {
    if (value === null) {
      this.null();
      return;
    }
    scratch[this.#end] = codes.double;
    this.#end = scratch.writeDoubleBE(value, this.#end + 1);
  }

  /** Writes a whole number from 0. */
  count(value: number | null): void {
    if (value !== null && value < 128) this.small(value);
    else if (value !== null && value <= 0xffff_ffff) {
      scratch[this.#end] = codes.uint32;
      this.#end = scratch.writeUInt32BE(value, this.#end + 1);
    } else this.double(value);
  }

  /**
   * Writes a text that may end in a UUID; the UUID is written as its bytes.
   *
   * @returns False when it is too long.
   */
  text(value: string | null): boolean {
    if (value === null) {
      this.null();
      return true;
    }
    if (value.length > textLengthMax) return false;
    if (!this.#prefixed(value)) this.#plain(value);
    return true;
  }

  /** Writes an id of one form; @returns false when it is none. */
  id(value: string | null, form: IdForm): boolean {
    if (value === null) {
      this.null();
      return true;
    }
    const { byteCount, characterCount } = form;
    if (value.length !== characterCount || !form.write(value, 0, scratch, this.#end + 2))
      return false;
    this.#beginBytes(byteCount);
    this.#end += byteCount;
    return true;
  }

  /** Ends it; @returns its bytes in front of those of its last value. */
  finish(last: Uint8Array): Uint8Array {
    const bytes = Buffer.allocUnsafe(this.#end + last.length);
    scratch.copy(bytes, 0, 0, this.#end);
    bytes.set(last, this.#end);
    return bytes;
  }

  #beginBytes(byteCount: number): void {
    scratch[this.#end] = codes.bytes;
    scratch[this.#end + 1] = byteCount;
    this.#end += 2;
  }

  #prefixed(value: string): boolean {
    const prefixLength = value.length - uuidForm.characterCount;
    if (prefixLength < 0 || prefixLength > prefixLengthMax) return false;
    const at = this.#end + 2;
    if (!uuidForm.write(value, prefixLength, scratch, at + prefixLength)) return false;
    if (scratch.write(value.slice(0, prefixLength), at) !== prefixLength) return false;
    this.#beginBytes(prefixLength + uuidForm.byteCount);
    this.#end = at + prefixLength + uuidForm.byteCount;
    return true;
  }

  #plain(value: string): void {
    const at = this.#end;
    const shortCount = value.length < shortLength ? scratch.write(value, at + 1) : shortLength;
    if (shortCount < shortLength) {
      scratch[at] = codes.shortText | shortCount;
      this.#end = at + 1 + shortCount;
      return;
    }
    const byteCount = scratch.write(value, at + 3);
    scratch[at] = codes.text16;
    scratch.writeUInt16BE(byteCount, at + 1);
    this.#end = at + 3 + byteCount;
  }
}
