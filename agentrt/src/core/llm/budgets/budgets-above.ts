import type { Amount, BudgetLedger } from "./budget-ledger.ts";
import type { ReservationEnd } from "./reservation.ts";
import { modelErrors } from "../errors.ts";

/** A call of a model that is about to be made. */
export interface PricedCall extends Amount {
  readonly agent: string;
  /** Name of the provider. */
  readonly provider: string;
  readonly model: string;
  /** False where nobody knows what the model costs. */
  readonly isPriced: boolean;
}

/** What is held back for a call in another process. */
export interface HeldAbove {
  /** Ends it. What is not known to have come is tried again. */
  end(how: ReservationEnd): void;
}

/** Budgets of another process that calls of this one count against, too. */
export interface BudgetsAbove {
  /** True for an agent below such a budget. */
  countFor(agent: string): boolean;
  /**
   * Holds back what a call may cost.
   *
   * @throws AGENTRT_MODEL_BUDGET_EXCEEDED, AGENTRT_MODEL_BUDGET_UNPRICED, AGENTRT_MODEL_BUDGET_NOT_SAVED.
   */
  hold(call: PricedCall): Promise<HeldAbove>;
}

/**
 * Refuses a call whose cost nobody knows, where a budget is in USD.
 *
 * @throws AGENTRT_MODEL_BUDGET_UNPRICED.
 */
export function refuseUnpriced(
  ledgers: readonly BudgetLedger[],
  { agent, provider, model, isPriced }: Omit<PricedCall, keyof Amount>,
): void {
  const inUsd = ledgers.find(({ budget }) => budget.usd !== undefined);
  if (inUsd === undefined || isPriced) return;
  throw new modelErrors.BUDGET_UNPRICED({ agent, budget: inUsd.name, provider, model });
}
