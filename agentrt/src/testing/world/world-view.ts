/** What the functions that replace those of the process read. */
export interface WorldView {
  /** Wall clock, milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
  /** Milliseconds since the world began. */
  readonly monotonicMs: () => number;
  /** @returns A number in [0, 1). */
  random(): number;
  /** Writes bytes by chance. */
  drawInto(bytes: Uint8Array): void;
}

/** Finds the world that the running code belongs to; undefined for the real one. */
export type CurrentWorld = () => WorldView | undefined;
