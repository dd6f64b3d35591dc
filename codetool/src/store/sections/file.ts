import { checksumOf } from "../../text/index.ts";
import { BlockChecks, BlockSums } from "./block-checks.ts";
import { IndexFault } from "../index-fault.ts";
import type { SectionSink, SectionSource } from "./storage.ts";

/**
 * The container of every file of an index: a head of fixed size, then sections, each beginning at a multiple of 8.
 *
 *   0   "CTIX"        magic
 *   4   u32           version of the format
 *   8   u32           number of sections
 *   12  u32           crc of the head, with this field 0
 *   16  f64           generation
 *   24  f64           size of the file, bytes
 *   32  24 bytes      kind of the file, padded with NUL
 *   56  u32           crc of the section "checks"
 *   64  48 bytes each: 32 of name, padded with NUL; f64 offset; f64 length
 *
 * The last section, "checks", holds a crc for each block of 16 KiB behind the head. Each block is checked once,
 * when it is read: a damaged block is a fault and never part of an answer.
 *
 * Numbers are little-endian, and so are the arrays inside: on a machine with the other order, opening fails.
 */
const magic = "CTIX";
const headBytes = 4096;
const entryBytes = 48;
const entriesStart = 64;
const sectionCountMax = Math.floor((headBytes - entriesStart) / entryBytes);

/** Version of the files of an index; others are built again. */
export const formatVersion = 15;

/** How much `verify` reads at once. */
const verifyStepBytes = 1 << 17;

/** Arrays that sections hold. */
export type SectionArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** What makes an array over the bytes of a section. */
export interface ArrayType<Kind extends SectionArray> {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
}

/** The section of checksums. */
const checksName = "checks";

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Writes one file of an index, section after section; it is whole only after `finish`. */
export class SectionWriter {
  readonly #sink: SectionSink;
  readonly #kind: string;
  readonly #generation: number;
  readonly #entries: { readonly name: string; readonly offset: number; length: number }[] = [];
  readonly #sums = new BlockSums();
  #position = headBytes;

  /**
   * @param sink Where to; empty, closed by `finish` or `close`.
   * @param parts What the head says.
   */
  constructor(sink: SectionSink, parts: { readonly kind: string; readonly generation: number }) {
    this.#sink = sink;
    this.#kind = parts.kind;
    this.#generation = parts.generation;
  }

  /** Begins a section; what is appended next belongs to it. */
  begin(name: string): void {
    if (this.#entries.length === sectionCountMax || name.length > 32)
      throw new RangeError(`no room for section "${name}"`);
    this.#pad();
    this.#entries.push({ name, offset: this.#position, length: 0 });
  }

  /** Appends to the section that was begun last. */
  append(array: SectionArray): void {
    const entry = this.#entries.at(-1);
    if (entry === undefined) throw new RangeError("no section was begun");
    this.#write(bytesOf(array));
    entry.length += array.byteLength;
  }

  /** Writes a section at once. */
  section(name: string, array: SectionArray): void {
    this.begin(name);
    this.append(array);
  }

  /** Writes the head and closes the file, its bytes on the disk. */
  finish(): void {
    this.#pad();
    const sums = this.#sums.finish();
    this.section(checksName, sums);
    const head = Buffer.alloc(headBytes);
    head.write(magic, 0, "latin1");
    head.writeUInt32LE(formatVersion, 4);
    head.writeUInt32LE(this.#entries.length, 8);
    head.writeDoubleLE(this.#generation, 16);
    head.writeDoubleLE(this.#position, 24);
    head.write(this.#kind, 32, "latin1");
    head.writeUInt32LE(checksumOf(bytesOf(sums)), 56);
    for (const [index, entry] of this.#entries.entries()) {
      const at = entriesStart + index * entryBytes;
      head.write(entry.name, at, "latin1");
      head.writeDoubleLE(entry.offset, at + 32);
      head.writeDoubleLE(entry.length, at + 40);
    }
    head.writeUInt32LE(checksumOf(head), 12);
    this.#sink.write(head, 0);
    this.#sink.sync();
    this.close();
  }

  /** Closes the file as it is: for one that is given up. */
  close(): void {
    this.#sink.close();
  }

  #pad(): void {
    const padding = (8 - (this.#position % 8)) % 8;
    if (padding > 0) this.#write(new Uint8Array(padding));
  }

  #write(bytes: Uint8Array): void {
    this.#sums.add(bytes);
    this.#sink.write(bytes, this.#position);
    this.#position += bytes.length;
  }
}

function bytesOf(array: SectionArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** An open file of an index. It reads only what is asked for. */
export class SectionFile {
  readonly #source: SectionSource;
  readonly #path: string;
  readonly #sections = new Map<string, { readonly offset: number; readonly length: number }>();
  /** Generation that the file was written for. */
  readonly generation: number;
  readonly sizeBytes: number;
  readonly #sumOfChecks: number;
  #checks: BlockChecks | undefined;

  /**
   * @param source Of the file; closed with it, and when it is refused.
   * @param kind That it must have.
   * @throws IndexFault when it is not such a file, of another version, cut, or its head is damaged.
   */
  constructor(source: SectionSource, kind: string) {
    this.#source = source;
    this.#path = source.name;
    this.sizeBytes = source.sizeBytes;
    try {
      if (!isLittleEndian)
        throw new IndexFault(this.#path, "this machine's byte order is not served");
      const head = this.#readHead(kind);
      this.generation = head.readDoubleLE(16);
      this.#sumOfChecks = head.readUInt32LE(56);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #readHead(kind: string): Buffer {
    const head = Buffer.alloc(headBytes);
    if (this.sizeBytes < headBytes) throw new IndexFault(this.#path, "the file is cut");
    this.#readInto(head, 0);
    if (head.toString("latin1", 0, 4) !== magic)
      throw new IndexFault(this.#path, "it is not a file of an index");
    if (head.readUInt32LE(4) !== formatVersion)
      throw new IndexFault(this.#path, "it is of another version");
    const checksum = head.readUInt32LE(12);
    head.writeUInt32LE(0, 12);
    if (checksumOf(head) !== checksum) throw new IndexFault(this.#path, "its head is damaged");
    if (head.readDoubleLE(24) !== this.sizeBytes)
      throw new IndexFault(this.#path, "the file is cut");
    if (textOf(head, 32, 24) !== kind) throw new IndexFault(this.#path, `it is not ${kind}`);
    for (let index = 0; index < head.readUInt32LE(8); index += 1) {
      const at = entriesStart + index * entryBytes;
      const offset = head.readDoubleLE(at + 32);
      this.#sections.set(textOf(head, at, 32), { offset, length: head.readDoubleLE(at + 40) });
    }
    return head;
  }

  /** Whether the file has a section. */
  has(name: string): boolean {
    return this.#sections.has(name);
  }

  /** Size of a section, bytes. */
  lengthOf(name: string): number {
    return this.#find(name).length;
  }

  /** A whole section. */
  array<Kind extends SectionArray>(name: string, type: ArrayType<Kind>): Kind {
    const { length } = this.#find(name);
    return this.slice(name, type, { start: 0, end: length / type.BYTES_PER_ELEMENT });
  }

  /**
   * Elements of a section, `start` included, `end` not.
   *
   * @throws IndexFault for elements that the section does not have.
   */
  slice<Kind extends SectionArray>(
    name: string,
    type: ArrayType<Kind>,
    { start, end }: { readonly start: number; readonly end: number },
  ): Kind {
    const { offset, length } = this.#find(name);
    const size = type.BYTES_PER_ELEMENT;
    if (!(start >= 0 && start <= end && end * size <= length && Number.isInteger(end)))
      throw new IndexFault(this.#path, `section ${name} has no elements ${start} to ${end}`);
    const position = offset + start * size;
    const bytes = this.#checkedBytes(position, (end - start) * size);
    return new type(bytes.buffer as ArrayBuffer, bytes.byteOffset, end - start);
  }

  /**
   * Reads bytes of a section, from `start` on, into memory that the caller has.
   *
   * @throws IndexFault for bytes that the section does not have.
   */
  read(name: string, bytes: Uint8Array | Int8Array, start: number): void {
    const { offset, length } = this.#find(name);
    if (!(start >= 0 && start + bytes.length <= length))
      throw new IndexFault(this.#path, `section ${name} has no ${bytes.length} bytes at ${start}`);
    const target = bytesOf(bytes);
    this.#readInto(target, offset + start);
    this.#check(target, offset + start - headBytes);
  }

  /** Whether the file is still as long as it was when it was opened: a mapped file must not be read after it became shorter. */
  isWhole(): boolean {
    return this.#source.isWhole();
  }

  /**
   * Checks all of the file.
   *
   * @throws IndexFault when some of it is damaged.
   */
  verify(): void {
    const end = this.#find(checksName).offset - headBytes;
    const part = new Uint8Array(Math.min(verifyStepBytes, end));
    for (let at = 0; at < end; at += part.length) {
      const bytes = part.subarray(0, Math.min(part.length, end - at));
      this.#readInto(bytes, headBytes + at);
      this.#check(bytes, at);
    }
  }

  #checkedBytes(position: number, sizeBytes: number): Uint8Array {
    const { view } = this.#source;
    if (view === undefined) {
      const bytes = new Uint8Array(sizeBytes);
      this.#readInto(bytes, position);
      this.#check(bytes, position - headBytes);
      return bytes;
    }
    this.#checks ??= this.#readChecks();
    const start = position - headBytes;
    const blockOf = (from: number, to: number): Uint8Array => view(headBytes + from, to - from);
    if (!this.#checks.checkBlocks(start, start + sizeBytes, blockOf))
      throw new IndexFault(this.#path, "it is damaged");
    return view(position, sizeBytes);
  }

  #check(bytes: Uint8Array, start: number): void {
    this.#checks ??= this.#readChecks();
    const isWhole = this.#checks.check(bytes, start, (block, from) =>
      this.#readInto(block, headBytes + from),
    );
    if (!isWhole) throw new IndexFault(this.#path, "it is damaged");
  }

  #readChecks(): BlockChecks {
    const { offset, length } = this.#find(checksName);
    const sums = new Uint32Array(length / 4);
    this.#readInto(bytesOf(sums), offset);
    if (checksumOf(bytesOf(sums)) !== this.#sumOfChecks)
      throw new IndexFault(this.#path, "its checksums are damaged");
    return new BlockChecks(sums, offset - headBytes);
  }

  /** The error for content that is damaged. */
  fault(reason: string): IndexFault {
    return new IndexFault(this.#path, reason);
  }

  /** Closes the file; it is not read any more. */
  close(): void {
    this.#source.close();
  }

  #find(name: string): { readonly offset: number; readonly length: number } {
    const found = this.#sections.get(name);
    if (found === undefined) throw new IndexFault(this.#path, `it has no section ${name}`);
    return found;
  }

  #readInto(bytes: Uint8Array, position: number): void {
    let count: number;
    try {
      count = this.#source.read(bytes, position);
    } catch (error) {
      throw new IndexFault(this.#path, "it cannot be read", { cause: error });
    }
    if (count < bytes.length) throw new IndexFault(this.#path, "the file is cut");
  }
}

function textOf(head: Buffer, start: number, length: number): string {
  return head.toString("latin1", start, start + length).replace(/\0+$/, "");
}
