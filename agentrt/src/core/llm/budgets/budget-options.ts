/** What a budget is for: all that is spent until an operator resets it, each full hour (UTC), or each key for itself. */
export type BudgetPeriod = "run" | "hour" | "key";

/** What model calls may cost: `usd`, `tokens`, or both, of which the one that is used up first counts. */
export interface BudgetOptions {
  /** US dollars, 0 or more. Models without a known price are refused then. */
  readonly usd?: number | undefined;
  /** Tokens of requests and answers together, a whole number of 0 or more. */
  readonly tokens?: number | undefined;
  /** Default `"run"`. `"key"` is for keyed agents: each key has a budget like `"run"`. */
  readonly per?: BudgetPeriod | undefined;
}

/** A budget, its default filled in. */
export interface Budget {
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  readonly per: BudgetPeriod;
}
