/**
 * Budgets that agents of workers spend, and that are of supervisors above them: their ledgers are in the supervisor's process.
 *
 *   worker: model call → WorkerBudgets ── hold ──→ HeldBudgets → Reservation → ledgers, saved
 *                        the answer    ── end ───→
 *                                        └ the worker is gone: what was held counts as spent
 *
 * It must not know models.
 */
export { budgetTypes } from "./budget-protocol.ts";
export { HeldBudgets } from "./held-budgets.ts";
export { WorkerBudgets } from "./worker-budgets.ts";
