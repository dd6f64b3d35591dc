import type { PrintedMatch, SearchMode } from "../../search/index.ts";

/** The payload of `search`: one page of matches. */
export type MatchesPayload = {
  /** `null` where the paths are of several trees. */
  readonly root: string | null;
  readonly matches: readonly PrintedMatch[];
  readonly total_matches: number;
  readonly returned: number;
  readonly budget_used: number;
  readonly truncated: boolean;
  /** `null` on the last page. */
  readonly continuation_token: string | null;
  readonly mode: SearchMode;
};

/** The payload of `search --exists`. */
export type AnyMatchPayload = {
  readonly exists: boolean;
  /** `probable` where nothing was found and files were not searched. */
  readonly confidence: "exact" | "probable";
};

/** What `search` answers with. */
export type SearchPayload = MatchesPayload | AnyMatchPayload;
