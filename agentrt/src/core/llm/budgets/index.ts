/**
 * Budgets of model calls: what an agent and each supervisor above it may spend, and what was spent, in the state store.
 *
 *     begin ─ all have room? ─▶ reserve in each ─▶ ledgers are saved ─▶ the request goes out ─▶ settle ─▶ ledgers are saved
 *                 └ no: BUDGET_EXCEEDED                                        └ nobody knows what it cost: the reservation
 *
 * A ledger is saved with the reservation before the request goes out. What was reserved when a process ended counts
 * as spent, so that no end of a process gives anything back.
 *
 * It must not know agents or supervisors: only their names.
 */
export { BudgetLedgers } from "./budget-ledgers.ts";
export type { LedgerHome } from "./budget-ledger.ts";
export type { BudgetEvent } from "./budget-event.ts";
export type { Budget, BudgetOptions, BudgetPeriod } from "./budget-options.ts";
export type { BudgetReport } from "./budget-report.ts";
export { budgetReportOf, budgetStateKey, isBudgetStateKey } from "./saved-ledger.ts";
export { refuseUnpriced } from "./budgets-above.ts";
export type { BudgetsAbove, HeldAbove, PricedCall } from "./budgets-above.ts";
export { Reservation } from "./reservation.ts";
export type { ReservationEnd } from "./reservation.ts";
export { ModelBudget } from "./model-budget.ts";
export { Spending } from "./spending.ts";
