/** The payload of `exists`. */
export type ExistsPayload = {
  readonly exists: boolean;
  /** `probable` when there would have been more to read. */
  readonly confidence: "exact" | "probable";
  readonly pattern: string;
};
