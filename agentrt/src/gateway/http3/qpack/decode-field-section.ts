import { Http3Fault } from "../fault.ts";
import { decodeHuffman } from "./huffman.ts";
import { staticTable } from "./static-table.ts";

/** Bounds of one field section. */
export interface FieldSectionLimits {
  /** Names and values together, a few bytes a line added. */
  readonly sizeBytesMax: number;
  /** Lines. */
  readonly countMax: number;
}

/** What a field section holds, or why it is not kept. */
export type FieldSection =
  | { readonly lines: readonly (readonly [name: string, value: string])[] }
  | { readonly excess: "size" | "count" };

/** Bytes of an HTTP/1.1 header line in addition to name and value, so that all versions count alike. */
const lineOverheadBytes = 4;

/** A length or index this long cannot be meant: everything real fits the bytes that are there. */
const integerMax = 2 ** 31;

/**
 * Decodes a field section (RFC 9204 §4.5) that uses only the static table. A peer cannot use the dynamic table, because
 * we announce a capacity of zero for it.
 *
 * @param bytes The whole section.
 * @param limits Sections above them are given up at the first line too many.
 * @returns The lines, a character a byte.
 * @throws Http3Fault QPACK_DECOMPRESSION_FAILED.
 */
export function decodeFieldSection(bytes: Uint8Array, limits: FieldSectionLimits): FieldSection {
  const reader = new Reader(bytes);
  // Required Insert Count, then Delta Base with its sign: without dynamic entries both mean nothing.
  if (reader.integer(8) !== 0) throw failed("a reference to the dynamic table");
  reader.integer(7);
  const lines: [string, string][] = [];
  let sizeBytes = 0;
  while (!reader.isAtEnd) {
    const line = readLine(reader);
    sizeBytes += line[0].length + line[1].length + lineOverheadBytes;
    if (sizeBytes > limits.sizeBytesMax) return { excess: "size" };
    if (line[0].charCodeAt(0) !== colon && lines.length >= limits.countMax + pseudoCountMax) {
      return { excess: "count" };
    }
    lines.push(line);
  }
  const pseudoCount = lines.filter(([name]) => name.charCodeAt(0) === colon).length;
  return lines.length - pseudoCount > limits.countMax ? { excess: "count" } : { lines };
}

const colon = 58;
const pseudoCountMax = 4;

function readLine(reader: Reader): [string, string] {
  const first = reader.peek();
  if ((first & 0xc0) === 0xc0) {
    const [name, value] = staticEntry(reader.integer(6));
    return [name, value];
  }
  if ((first & 0xf0) === 0x50 || (first & 0xf0) === 0x70) {
    const [name] = staticEntry(reader.integer(4));
    return [name, reader.string(7)];
  }
  if ((first & 0xe0) === 0x20) {
    const name = reader.string(3);
    return [name, reader.string(7)];
  }
  throw failed("a reference to the dynamic table");
}

function staticEntry(index: number): readonly [string, string] {
  const entry = staticTable[index];
  if (entry === undefined) throw failed("no such entry in the static table");
  return entry;
}

function failed(reason: string): Http3Fault {
  return new Http3Fault("QPACK_DECOMPRESSION_FAILED", `field section with ${reason}`);
}

class Reader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.byteLength;
  }

  peek(): number {
    const byte = this.#bytes[this.#offset];
    if (byte === undefined) throw failed("an early end");
    return byte;
  }

  /** An integer in the low `prefixBits` of a byte and those behind it (RFC 7541 §5.1). */
  integer(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.peek() & mask;
    this.#offset += 1;
    if (value < mask) return value;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.peek();
      this.#offset += 1;
      value += (byte & 0x7f) * scale;
      if (value > integerMax || scale > integerMax) throw failed("a number that is too large");
      if ((byte & 0x80) === 0) return value;
    }
  }

  /** A string whose length is in the low `prefixBits`, the bit above saying whether it is Huffman-coded. */
  string(prefixBits: number): string {
    const isCoded = (this.peek() & (1 << prefixBits)) !== 0;
    const start = this.#offset;
    const length = this.integer(prefixBits);
    const from = this.#offset;
    const end = from + length;
    if (end > this.#bytes.byteLength || from === start) throw failed("an early end");
    this.#offset = end;
    if (!isCoded) return latin1(this.#bytes, from, end);
    const text = decodeHuffman(this.#bytes, from, end);
    if (text === undefined) throw failed("a string that is not Huffman-coded");
    return text;
  }
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
}
