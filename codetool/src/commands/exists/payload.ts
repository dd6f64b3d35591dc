/** The payload of `exists`. */
export type ExistsPayload = {
  readonly exists: boolean;
  /** `probable` where there would have been more to read. */
  readonly confidence: "exact" | "probable";
  readonly pattern: string;
};
