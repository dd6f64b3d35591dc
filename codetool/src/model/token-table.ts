import { contentHash } from "../text/index.ts";
import { stemHash } from "./token-hash.ts";

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
const magic = [0x63, 0x74, 0x76, 0x65, 0x63, 0, 0, 1];

/** A file that is no table of this version, or not whole. */
export class BadTokenTable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BadTokenTable";
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

/** Rows of token vectors, found by hash. Opening reads nothing but the header. */
export class TokenTable {
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

  /** The stem that a row stands for. */
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
    throw new BadTokenTable("this is no token table of this version");
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

/**
 * A table of some rows of another, without their stems.
 *
 * @param wanted Hashes of tokens; those that have no row are left out.
 * @param read Reads bytes of the file of the other table.
 * @throws BadTokenTable
 */
export async function readRows(
  wanted: Iterable<number>,
  read: (start: number, end: number) => Promise<Uint8Array>,
): Promise<TokenTable> {
  const { dimensions, rowCount, stemBytes } = readHeader(await read(0, headerBytes));
  const from = layOut(dimensions, rowCount, stemBytes);
  const { buffer, byteOffset } = await read(from.hashes, from.weights);
  const hashes = new Uint32Array(buffer, byteOffset, rowCount);
  const rows = [...new Set(Array.from(wanted, (hash) => findHash(hashes, hash)))]
    .filter((row) => row >= 0)
    .sort((left, right) => left - right);
  const places = layOut(dimensions, rows.length, 0);
  const bytes = new Uint8Array(places.end);
  bytes.set(magic);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, dimensions, true);
  view.setUint32(12, rows.length, true);
  const copyRow = async (row: number, place: number): Promise<void> => {
    view.setUint32(places.hashes + place * 4, hashes[row] as number, true);
    const weightAt = from.weights + row * 4;
    const vectorAt = from.vectors + row * dimensions * 2;
    bytes.set(await read(weightAt, weightAt + 4), places.weights + place * 4);
    const vector = await read(vectorAt, vectorAt + dimensions * 2);
    bytes.set(vector, places.vectors + place * dimensions * 2);
  };
  await Promise.all(rows.map(copyRow));
  return new TokenTable(bytes);
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
  return Buffer.from(table.subarray(24, headerBytes)).toString("hex") === (await checksumOf(table));
}

/** Writes the checksum into the header of a table that was built. */
export async function sealTokenTable(table: Uint8Array): Promise<void> {
  table.set(Buffer.from(await checksumOf(table), "hex"), 24);
}

async function checksumOf(table: Uint8Array): Promise<string> {
  return (await contentHash(table.subarray(headerBytes))).slice(0, 16);
}
