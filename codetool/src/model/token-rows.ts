/** Rows of token vectors, found by hash, as an embedder reads them. */
export interface TokenRows {
  /** Numbers of a vector. */
  readonly dimensions: number;
  readonly rowCount: number;
  /** Of each row. */
  readonly weights: Float32Array;
  /** Half precision; that of a row begins at `placeOf`. */
  readonly vectors: Uint16Array;
  /** The row of a token by `tokenHash`, or -1. */
  rowOf(hash: number): number;
  /** Where the vector of a row begins in `vectors`. */
  placeOf(row: number): number;
  /** Reads the vectors of rows, where not all are there already: to be awaited before they are used. */
  readonly loadRows?: (rows: Iterable<number>) => Promise<void>;
}
