import type { BudgetReport } from "../core/index.ts";
import type { BudgetBody } from "./wire.ts";

/** Makes the body of a budget of model calls. */
export function budgetBody(budget: BudgetReport): BudgetBody {
  return {
    name: budget.name,
    per: budget.per,
    limit_usd: budget.limitUsd,
    limit_tokens: budget.limitTokens,
    spent_usd: budget.spentUsd,
    spent_tokens: budget.spentTokens,
    reserved_usd: budget.reservedUsd,
    reserved_tokens: budget.reservedTokens,
    calls: budget.callCount,
    unsettled_calls: budget.unsettledCallCount,
    frees_at: budget.freesAtMs === null ? null : budget.freesAtMs / 1000,
  };
}
