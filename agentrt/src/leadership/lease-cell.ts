/** What a cell holds. */
export interface CellEntry {
  readonly text: string;
  /** Number of the write: each is above all before it. */
  readonly revision: number;
}

/** One text that several processes see and write, where a write names the one before it. */
export interface LeaseCell {
  /** @returns What was written last; undefined when nothing was. */
  read(): Promise<CellEntry | undefined>;
  /**
   * Writes when nobody has written since.
   *
   * @param text What.
   * @param after Revision of the write before; 0 for the first.
   * @returns The revision; undefined when another process was faster.
   */
  write(text: string, after: number): Promise<number | undefined>;
  /** Releases what it holds; twice is harmless. */
  close(): Promise<void>;
}
