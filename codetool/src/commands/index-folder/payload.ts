/** Files by language, the most frequent first. */
export type LanguageCounts = { readonly [language: string]: number };

/** The payload of `index`: the result of a run. */
export type IndexedPayload = {
  readonly path: string;
  readonly generation: number;
  readonly files_indexed: number;
  readonly files_changed: number;
  readonly files_unchanged: number;
  readonly files_removed: number;
  readonly chunks: number;
  readonly duration_ms: number;
  readonly languages: LanguageCounts;
  /** With `--watch`. */
  readonly folders_watched?: number;
};

/** The payload of `index --stats`: what the index holds. */
export type IndexStatsPayload = {
  readonly path: string;
  readonly index_exists: true;
  readonly generation: number;
  readonly timestamp: string;
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly terms: number;
  readonly segments: number;
  readonly size_bytes: number;
  readonly chunk_size: number;
  readonly languages: LanguageCounts;
};

/** What `index` answers with. */
export type IndexPayload = IndexedPayload | IndexStatsPayload;
