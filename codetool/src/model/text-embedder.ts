import { addFewRows, addRows } from "./add-rows.ts";
import { halfValues } from "./half-float.ts";
import { scanTokens } from "./scan-tokens.ts";
import { tokenHash } from "./token-hash.ts";
import type { TokenRows } from "./token-rows.ts";

/** The more often a token occurs, the less one more adds; it never counts more than this plus one. */
const saturation = 1.5;
/** How much the path of a file counts compared with the content, both taken to length one. */
const pathShare = 0.6;
/** More rows than any query has: making a list of all numbers pays from here on. */
const rowsReadSlowlyMax = 200;

/** The tokens of a text that the table knows, in the order of first sight. */
export interface CountedTokens {
  readonly rows: Int32Array;
  /** How much each counts. */
  readonly amounts: Float32Array;
}

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
  #places = new Int32Array(256);

  constructor(table: TokenRows) {
    this.#table = table;
    this.#counts = new Int32Array(table.rowCount);
    this.#seen = new Int32Array(table.rowCount);
  }

  /**
   * Reads the vectors of tokens that were counted, where the table is read in parts: to be awaited before their vectors
   * are made.
   *
   * @returns `undefined` where all of the table is there.
   */
  load(texts: Iterable<CountedTokens>): Promise<void> | undefined {
    if (this.#table.loadRows === undefined) return undefined;
    const rows = new Set<number>();
    for (const text of texts) for (const row of text.rows) rows.add(row);
    return this.#table.loadRows(rows);
  }

  /** The vector of a query or any short text; all 0 when no token of it is known. */
  embedText(text: string): Float32Array {
    return this.vectorOf(this.countText(Buffer.from(text, "utf8")));
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
    const own = this.countText(chunk.text.subarray(chunk.startByte, chunk.endByte));
    vector.set(this.vectorOf(own));
    if (chunk.path !== "") this.#addPath(vector, this.countPath(chunk.path));
  }

  /** The vector that a path has by itself. */
  pathVector(path: CountedTokens): Float32Array {
    const vector = new Float32Array(this.#table.dimensions);
    this.#addPath(vector, path);
    return vector;
  }

  #addPath(vector: Float32Array, path: CountedTokens): void {
    const own = this.vectorOf(path);
    for (let axis = 0; axis < vector.length; axis += 1)
      vector[axis] = (vector[axis] as number) + Math.fround((own[axis] as number) * pathShare);
    normalise(vector);
  }

  /** Counts the tokens of a text. */
  countText(text: Uint8Array): CountedTokens {
    scanTokens(text, (source, from, to) => {
      const row = this.rowOf(tokenHash(source, from, to));
      if (row >= 0) this.countRow(row, 1);
    });
    return this.takeCounted();
  }

  /** Counts the tokens of a path: of its stem and last three folders. */
  countPath(path: string): CountedTokens {
    return this.countText(pathText(path));
  }

  /** The row of a token by `tokenHash`, or -1. */
  rowOf(hash: number): number {
    return this.#table.rowOf(hash);
  }

  /** Counts a token so many times for what `takeCounted` will give. */
  countRow(row: number, times: number): void {
    const before = this.#counts[row] as number;
    this.#counts[row] = before + times;
    if (before > 0) return;
    this.#seen[this.#seenCount] = row;
    this.#seenCount += 1;
  }

  /** The tokens that were counted, which are forgotten. */
  takeCounted(): CountedTokens {
    const { weights } = this.#table;
    const rows = this.#seen.slice(0, this.#seenCount);
    const amounts = new Float32Array(rows.length);
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as number;
      const times = this.#counts[row] as number;
      this.#counts[row] = 0;
      const saturated = Math.fround((times * (saturation + 1)) / (times + saturation));
      amounts[index] = (weights[row] as number) * saturated;
    }
    this.#seenCount = 0;
    return { rows, amounts };
  }

  /** The vector of tokens that were counted: of length one, or all 0. */
  vectorOf({ rows, amounts }: CountedTokens): Float32Array {
    const vector = new Float32Array(this.#table.dimensions);
    const count = rows.length;
    if (count === 0) return vector;
    const { vectors } = this.#table;
    if (count > this.#places.length) this.#places = new Int32Array(2 * count);
    const places = this.#places;
    for (let index = 0; index < count; index += 1)
      places[index] = this.#table.placeOf(rows[index] as number);
    this.#rowsRead += count;
    if (this.#rowsRead > rowsReadSlowlyMax) this.#halves ??= halfValues();
    const weighted = { count, vectors, places, amounts };
    if (this.#halves === undefined) addFewRows(vector, weighted);
    else addRows(vector, weighted, this.#halves);
    normalise(vector);
    return vector;
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
