/** Bytes that are not a protocol buffer, or none of the expected kind. */
export class WireFault extends Error {}

/** A field: its number and what is in it. */
export interface WireField {
  readonly number: number;
  /** 0 varint, 1 eight bytes, 2 bytes with a length, 5 four bytes. */
  readonly wireType: 0 | 1 | 2 | 5;
  /** Of a varint its value; 64 bits are cut to what a double holds. */
  readonly value: number;
  /** Of the other types the content. */
  readonly bytes: Buffer;
}

const nothing = Buffer.alloc(0);
const varintLengthMax = 10;

/**
 * Reads the fields of a message in their order (protobuf.dev/programming-guides/encoding).
 *
 * @param bytes The message.
 * @returns One field after the other; unknown ones are the caller's to leave out.
 * @throws WireFault when the bytes are cut short or hold a type that proto3 has not.
 */
export function* readFields(bytes: Buffer): Generator<WireField, void> {
  let offset = 0;
  const varint = (): number => {
    let value = 0;
    let scale = 1;
    for (let length = 0; length < varintLengthMax; length += 1) {
      const byte = bytes[offset];
      if (byte === undefined) throw new WireFault("message was cut short");
      offset += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new WireFault("number is longer than 64 bits");
  };
  const take = (size: number): Buffer => {
    if (size > bytes.length - offset) throw new WireFault("message was cut short");
    offset += size;
    return bytes.subarray(offset - size, offset);
  };
  while (offset < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    if (number === 0) throw new WireFault("field has number 0");
    switch (tag % 8) {
      case 0:
        yield { number, wireType: 0, value: varint(), bytes: nothing };
        break;
      case 1:
        yield { number, wireType: 1, value: 0, bytes: take(8) };
        break;
      case 2:
        yield { number, wireType: 2, value: 0, bytes: take(varint()) };
        break;
      case 5:
        yield { number, wireType: 5, value: 0, bytes: take(4) };
        break;
      default:
        throw new WireFault("field has an unknown type");
    }
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a text field.
 *
 * @throws WireFault when it is none, or no UTF-8.
 */
export function readText(field: WireField): string {
  if (field.wireType !== 2) throw new WireFault("field holds no text");
  try {
    return utf8.decode(field.bytes);
  } catch {
    throw new WireFault("text is not UTF-8");
  }
}

/**
 * Gives the bytes of a field that holds a message.
 *
 * @throws WireFault when it holds something else.
 */
export function readNested(field: WireField): Buffer {
  if (field.wireType !== 2) throw new WireFault("field holds no message");
  return field.bytes;
}
