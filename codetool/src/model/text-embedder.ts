import { addFewRows, addRows } from "./add-rows.ts";
import { halfValues } from "./half-float.ts";
import { scanTokens, tokenHashesOf } from "./scan-tokens.ts";
import { tokenHash } from "./token-hash.ts";
import type { TokenRows } from "./token-rows.ts";

/** The more often a token occurs, the less one more adds; it never counts more than this plus one. */
const saturation = 1.5;
/** How much the path of a file counts compared with the content, both taken to length one. */
const pathShare = 0.6;
/** More rows than any query has: making a list of all numbers pays from here on. */
const rowsReadSlowlyMax = 200;

/**
 * Turns texts into vectors of length one: the sum of the vectors of its tokens, each times its weight and how much its
 * count says, divided by the length. The same text gives the same bits everywhere: sums are of single precision, in the
 * order in which the tokens first occur.
 *
 * Keeps a counter for each row of the table; one embedder serves any number of texts, one after the other.
 */
export class TextEmbedder {
  readonly #table: TokenRows;
  /** The numbers of half precision by their bits, once there was enough to read. */
  #halves: Float32Array | undefined;
  #rowsRead = 0;
  readonly #counts: Int32Array;
  readonly #seen: Int32Array;
  #seenCount = 0;
  readonly #path: Float32Array;
  #amounts = new Float32Array(256);

  constructor(table: TokenRows) {
    this.#table = table;
    this.#counts = new Int32Array(table.rowCount);
    this.#seen = new Int32Array(table.rowCount);
    this.#path = new Float32Array(table.dimensions);
  }

  /** False where its table is read in parts: then what is to be embedded goes through `prepare` before. */
  get hasWholeTable(): boolean {
    return this.#table.load === undefined;
  }

  /**
   * Reads what the table says of the tokens of some texts.
   *
   * @param path Of their file, as for `embedChunk`.
   */
  async prepare(path: string, texts: readonly Uint8Array[]): Promise<void> {
    await this.#table.load?.(tokenHashesOf([...texts, pathText(path)]));
  }

  /** The vector of a query or any short text; all 0 when no token of it is known. */
  embedText(text: string): Float32Array {
    const bytes = Buffer.from(text, "utf8");
    const vector = new Float32Array(this.#table.dimensions);
    this.embedChunk({ text: bytes, startByte: 0, endByte: bytes.length, path: "" }, vector);
    return vector;
  }

  /**
   * Writes the vector of a stretch of a file.
   *
   * @param chunk `path` is the file's, with forward slashes; its stem and last three folders count.
   * @param vector As many numbers as the table has dimensions.
   */
  embedChunk(
    chunk: {
      readonly text: Uint8Array;
      readonly startByte: number;
      readonly endByte: number;
      readonly path: string;
    },
    vector: Float32Array,
  ): void {
    this.#embed(chunk.text.subarray(chunk.startByte, chunk.endByte), vector);
    if (chunk.path === "") return;
    const words = pathText(chunk.path);
    this.#embed(words, this.#path);
    for (let axis = 0; axis < vector.length; axis += 1)
      vector[axis] =
        (vector[axis] as number) + Math.fround((this.#path[axis] as number) * pathShare);
    normalise(vector);
  }

  #embed(text: Uint8Array, vector: Float32Array): void {
    vector.fill(0);
    this.#count(text);
    this.#addCounted(vector);
    normalise(vector);
  }

  #count(text: Uint8Array): void {
    scanTokens(text, (source, from, to) => {
      const row = this.rowOf(tokenHash(source, from, to));
      if (row >= 0) this.countRow(row);
    });
  }

  /** The row of a token by `tokenHash`, or -1. */
  rowOf(hash: number): number {
    return this.#table.rowOf(hash);
  }

  /** Counts a token for the text whose vector `countedVector` will give. */
  countRow(row: number): void {
    const before = this.#counts[row] as number;
    this.#counts[row] = before + 1;
    if (before > 0) return;
    this.#seen[this.#seenCount] = row;
    this.#seenCount += 1;
  }

  /** The vector of the tokens that were counted, which are forgotten. */
  countedVector(): Float32Array {
    const vector = new Float32Array(this.#table.dimensions);
    this.#addCounted(vector);
    normalise(vector);
    return vector;
  }

  /** Adds the counted tokens to a vector and forgets them. */
  #addCounted(vector: Float32Array): void {
    const { weights, vectors } = this.#table;
    const count = this.#seenCount;
    if (count > this.#amounts.length) this.#amounts = new Float32Array(2 * count);
    const amounts = this.#amounts;
    const places = this.#seen;
    for (let index = 0; index < count; index += 1) {
      const row = places[index] as number;
      const times = this.#counts[row] as number;
      this.#counts[row] = 0;
      const saturated = Math.fround((times * (saturation + 1)) / (times + saturation));
      amounts[index] = (weights[row] as number) * saturated;
      places[index] = this.#table.placeOf(row);
    }
    this.#seenCount = 0;
    this.#rowsRead += count;
    if (this.#rowsRead > rowsReadSlowlyMax) this.#halves ??= halfValues();
    const rows = { count, vectors, places, amounts };
    if (this.#halves === undefined) addFewRows(vector, rows);
    else addRows(vector, rows, this.#halves);
  }
}

/** Makes the length one; a vector of zeros stays. */
function normalise(vector: Float32Array): void {
  let squares = 0;
  for (let axis = 0; axis < vector.length; axis += 1) {
    const value = vector[axis] as number;
    squares += value * value;
  }
  const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let axis = 0; axis < vector.length; axis += 1)
    vector[axis] = (vector[axis] as number) * factor;
}

const foldersMax = 3;

function pathText(path: string): Uint8Array {
  const parts = path.split("/");
  const stem = (parts.pop() ?? "").replace(/\.[^.]*$/, "");
  return Buffer.from([...parts.slice(-foldersMax), stem].join(" "), "utf8");
}
