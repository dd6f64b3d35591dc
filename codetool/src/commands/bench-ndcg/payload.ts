/** Means over repositories, four digits. */
export interface Means {
  readonly ndcg10: number;
  readonly strict_ndcg10: number;
}

/** The scores of one query. */
export interface ScoreOfQuery {
  readonly query: string;
  readonly category: string;
  readonly ndcg10: number;
  readonly ndcg5: number;
  readonly strict_ndcg10: number;
  readonly top_results: readonly string[];
}

/** What one set of queries and all of them have in common. */
interface Scores {
  readonly queries: number;
  readonly ndcg10: number;
  /** 95 % of resamples are from the first to the second. */
  readonly ndcg10_ci95: readonly number[];
  readonly ndcg5: number;
  readonly strict_ndcg10: number;
  readonly symbol_ndcg10: number | null;
  readonly semantic_ndcg10: number | null;
  readonly architecture_ndcg10: number | null;
}

/** The scores of one set of queries. */
export interface RepositoryScores extends Scores {
  readonly repo: string;
  readonly commit: string | null;
  readonly language: string | null;
  readonly files: number;
  readonly by_category: {
    readonly [category: string]: {
      readonly count: number;
      readonly ndcg10: number;
      readonly ndcg10_ci95: readonly number[];
    };
  };
  readonly misses: readonly string[];
  readonly per_query?: readonly ScoreOfQuery[];
}

/** The payload of `bench-ndcg`. */
export type BenchNdcgPayload = {
  /** Where there is one. */
  readonly repo?: string;
} & { readonly [Key in keyof Scores]: Scores[Key] } & {
  readonly by_category: { readonly [category: string]: Means & { readonly count: number } };
  readonly by_language: { readonly [language: string]: Means & { readonly repos: number } };
  readonly misses: readonly { readonly repo: string; readonly query: string }[];
  readonly regressions: readonly {
    readonly repo: string;
    readonly before: number;
    readonly now: number;
  }[];
  readonly repos: readonly RepositoryScores[];
};
