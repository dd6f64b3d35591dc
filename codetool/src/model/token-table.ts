import { contentHash } from "../text/index.ts";
import { stemHash } from "./token-hash.ts";
import type { TokenRows } from "./token-rows.ts";

/**
 * The table as a file, little-endian:
 *
 *   bytes 0-7    "ctvec\0\0\1": magic and version
 *   8, 12, 16    u32 dimensions, rows, bytes of all stems
 *   24-31        checksum of everything from byte 32 on, 8 bytes
 *   32           u32 hash of each row's stem, ascending
 *                f32 weight of each row
 *                u16 vectors, half precision, row by row
 *                u32 where each stem ends, then the stems in UTF-8
 *
 * Rows lie in the order of their hashes, so the hashes are the index. Every part begins at a multiple of four.
 */
const headerBytes = 32;
/** Where in the header the checksum is. */
const checksumPart = { start: 24, end: headerBytes };
/** Vectors that there is room for at first. */
const roomMin = 16;
/** What is read at once of a table that is read in parts: header, hashes and weights of 65 000 rows. */
const firstBytes = 512 * 1024;
const magic = [0x63, 0x74, 0x76, 0x65, 0x63, 0, 0, 1];

/** A file that is not a table of this version, or not whole. */
export class BadTokenTable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BadTokenTable";
  }
}

/** A table that is read in parts, and whose file is another one by now: open it again. */
export class ReplacedTokenTable extends Error {
  constructor() {
    super("the table of token vectors was replaced while it was in use");
    this.name = "ReplacedTokenTable";
  }
}

/** Content of a table, rows in any order. */
export interface TokenTableContent {
  readonly dimensions: number;
  readonly stems: readonly string[];
  /** A row each, all 0 or more. */
  readonly weights: Float32Array;
  /** Half precision, row by row. */
  readonly vectors: Uint16Array;
}

/** A whole table. Opening reads nothing but the header. */
export class TokenTable implements TokenRows {
  readonly dimensions: number;
  readonly rowCount: number;
  readonly weights: Float32Array;
  readonly vectors: Uint16Array;
  readonly #hashes: Uint32Array;
  readonly #stemEnds: Uint32Array;
  readonly #stems: Uint8Array;

  /**
   * @param bytes The file; kept, not copied. Must begin at a multiple of four.
   * @throws BadTokenTable
   */
  constructor(bytes: Uint8Array) {
    const { dimensions, rowCount, stemBytes } = readHeader(bytes);
    const places = layOut(dimensions, rowCount, stemBytes);
    if (bytes.length !== places.end)
      throw new BadTokenTable(`a token table of ${places.end} bytes has ${bytes.length}`);
    const at = (offset: number): number => bytes.byteOffset + offset;
    this.dimensions = dimensions;
    this.rowCount = rowCount;
    this.#hashes = new Uint32Array(bytes.buffer, at(places.hashes), rowCount);
    this.weights = new Float32Array(bytes.buffer, at(places.weights), rowCount);
    this.vectors = new Uint16Array(bytes.buffer, at(places.vectors), rowCount * dimensions);
    this.#stemEnds = new Uint32Array(bytes.buffer, at(places.stemEnds), rowCount);
    this.#stems = bytes.subarray(places.stems, places.stems + stemBytes);
  }

  /** The row of a token by `tokenHash`, or -1. */
  rowOf(hash: number): number {
    return findHash(this.#hashes, hash);
  }

  /** See `TokenRows`. */
  placeOf(row: number): number {
    return row * this.dimensions;
  }

  /** The stem that a row means. */
  stemOf(row: number): string {
    const start = row === 0 ? 0 : (this.#stemEnds[row - 1] as number);
    return Buffer.from(this.#stems.subarray(start, this.#stemEnds[row])).toString("utf8");
  }
}

interface Header {
  readonly dimensions: number;
  readonly rowCount: number;
  readonly stemBytes: number;
}

function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < headerBytes || magic.some((byte, index) => bytes[index] !== byte))
    throw new BadTokenTable("this is not a token table of this version");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (offset: number): number => view.getUint32(offset, true);
  return { dimensions: at(8), rowCount: at(12), stemBytes: at(16) };
}

function findHash(ascending: Uint32Array, hash: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === hash ? low : -1;
}

/** Reads parts of a table's file, `start` included, `end` not, each into its own buffer. */
export type ReadTableParts = (
  parts: readonly { readonly start: number; readonly end: number }[],
) => Promise<readonly Uint8Array[]>;

/** The rows of a table whose file is read in parts: their hashes and weights at once, vectors when they are needed. */
export class PartialTokenTable implements TokenRows {
  readonly dimensions: number;
  readonly rowCount: number;
  readonly weights: Float32Array;
  vectors = new Uint16Array(0);
  readonly #hashes: Uint32Array;
  /** One more than the number of a vector that is there; 0 for the others. */
  readonly #numbers: Uint32Array;
  #loadedCount = 0;
  readonly #read: ReadTableParts;
  readonly #vectorsStart: number;
  readonly #checksum: string;

  private constructor(
    header: Header,
    parts: {
      readonly hashesAndWeights: Uint8Array;
      readonly checksum: string;
      readonly read: ReadTableParts;
    },
  ) {
    this.#checksum = parts.checksum;
    const { dimensions, rowCount, stemBytes } = header;
    const { buffer, byteOffset } = parts.hashesAndWeights;
    this.dimensions = dimensions;
    this.rowCount = rowCount;
    this.#hashes = new Uint32Array(buffer, byteOffset, rowCount);
    this.weights = new Float32Array(buffer, byteOffset + rowCount * 4, rowCount);
    this.#numbers = new Uint32Array(rowCount);
    this.#read = parts.read;
    this.#vectorsStart = layOut(dimensions, rowCount, stemBytes).vectors;
  }

  /**
   * Opens a table.
   *
   * @param read Kept, for `loadRows`.
   * @throws BadTokenTable
   */
  static async open(read: ReadTableParts): Promise<PartialTokenTable> {
    // One read takes as long as the other: mostly this is all that is wanted.
    const [first = new Uint8Array(0)] = await read([{ start: 0, end: firstBytes }]);
    const header = readHeader(first);
    const { hashes, vectors } = layOut(header.dimensions, header.rowCount, header.stemBytes);
    const [rest] = vectors <= first.length ? [] : await read([{ start: hashes, end: vectors }]);
    return new PartialTokenTable(header, {
      hashesAndWeights: rest ?? first.subarray(hashes, vectors),
      checksum: checksumIn(first.subarray(checksumPart.start, checksumPart.end)),
      read,
    });
  }

  rowOf(hash: number): number {
    return findHash(this.#hashes, hash);
  }

  placeOf(row: number): number {
    const number = this.#numbers[row] as number;
    if (number === 0) throw new RangeError(`row ${row} was not read`);
    return (number - 1) * this.dimensions;
  }

  /** How many rows have their vectors there. */
  get loadedCount(): number {
    return this.#loadedCount;
  }

  async loadRows(wanted: Iterable<number>): Promise<void> {
    const rows = [...wanted].filter((row) => this.#numbers[row] === 0);
    if (rows.length === 0) return;
    const sizeBytes = this.dimensions * 2;
    // Near each other on the disk.
    rows.sort((left, right) => left - right);
    const [checksum = new Uint8Array(0), ...parts] = await this.#read([
      checksumPart,
      ...rows.map((row) => {
        const start = this.#vectorsStart + row * sizeBytes;
        return { start, end: start + sizeBytes };
      }),
    ]);
    if (checksumIn(checksum) !== this.#checksum) throw new ReplacedTokenTable();
    for (const [index, row] of rows.entries()) {
      // Others may have asked for it meanwhile.
      if (this.#numbers[row] !== 0) continue;
      this.#loadedCount += 1;
      this.#makeRoom();
      this.#numbers[row] = this.#loadedCount;
      const { buffer, byteOffset } = parts[index] as Uint8Array;
      this.vectors.set(new Uint16Array(buffer, byteOffset, this.dimensions), this.placeOf(row));
    }
  }

  #makeRoom(): void {
    const length = this.#loadedCount * this.dimensions;
    if (length <= this.vectors.length) return;
    const larger = new Uint16Array(
      Math.max(length, 2 * this.vectors.length, roomMin * this.dimensions),
    );
    larger.set(this.vectors);
    this.vectors = larger;
  }
}

function layOut(dimensions: number, rowCount: number, stemBytes: number) {
  const hashes = headerBytes;
  const weights = hashes + rowCount * 4;
  const vectors = weights + rowCount * 4;
  const stemEnds = vectors + Math.ceil((rowCount * dimensions) / 2) * 4;
  const stems = stemEnds + rowCount * 4;
  return { hashes, weights, vectors, stemEnds, stems, end: stems + stemBytes };
}

/**
 * The file of a table. Of two stems with one hash the later is left out.
 *
 * @returns The bytes, and how many rows were left out. The checksum is still to be written: `sealTokenTable`.
 */
export function buildTokenTable(content: TokenTableContent): {
  readonly bytes: Uint8Array;
  readonly leftOutCount: number;
} {
  const { dimensions, stems, weights, vectors } = content;
  const rowOfHash = new Map<number, number>();
  for (const [row, stem] of stems.entries()) {
    const hash = stemHash(stem);
    if (!rowOfHash.has(hash)) rowOfHash.set(hash, row);
  }
  const rows = [...rowOfHash].sort(([left], [right]) => left - right);
  const encoded = rows.map(([, row]) => Buffer.from(stems[row] as string, "utf8"));
  const stemBytes = encoded.reduce((sum, stem) => sum + stem.length, 0);
  const places = layOut(dimensions, rows.length, stemBytes);
  const bytes = new Uint8Array(places.end);
  bytes.set(magic);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of [dimensions, rows.length, stemBytes].entries())
    view.setUint32(8 + index * 4, value, true);
  let stemEnd = 0;
  for (const [place, [hash, row]] of rows.entries()) {
    view.setUint32(places.hashes + place * 4, hash, true);
    view.setFloat32(places.weights + place * 4, weights[row] as number, true);
    for (let axis = 0; axis < dimensions; axis += 1)
      view.setUint16(
        places.vectors + (place * dimensions + axis) * 2,
        vectors[row * dimensions + axis] as number,
        true,
      );
    const stem = encoded[place] as Buffer;
    bytes.set(stem, places.stems + stemEnd);
    stemEnd += stem.length;
    view.setUint32(places.stemEnds + place * 4, stemEnd, true);
  }
  return { bytes, leftOutCount: stems.length - rows.length };
}

/** Tells whether the content of a table is what its header says. Reads all of it. */
export async function isWholeTable(table: Uint8Array): Promise<boolean> {
  const { start, end } = checksumPart;
  return checksumIn(table.subarray(start, end)) === (await checksumOf(table));
}

function checksumIn(part: Uint8Array): string {
  return Buffer.from(part).toString("hex");
}

/** Writes the checksum into the header of a table that was built. */
export async function sealTokenTable(table: Uint8Array): Promise<void> {
  table.set(Buffer.from(await checksumOf(table), "hex"), checksumPart.start);
}

async function checksumOf(table: Uint8Array): Promise<string> {
  return (await contentHash(table.subarray(headerBytes))).slice(0, 16);
}
