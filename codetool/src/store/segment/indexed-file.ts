/** One file as it goes into a segment. */
export interface IndexedFile {
  /** Relative to the root of the index, forward slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** XXH3-128 of its bytes, 32 hexadecimal digits. */
  readonly hash: string;
  readonly language: string | null;
}
