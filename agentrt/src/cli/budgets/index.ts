/**
 * The work of the `budget` commands: what the ledgers in a state store say, and resetting one of them.
 *
 * It must not know flags.
 */
export { budgetJson, budgetTable, spentText } from "./budget-text.ts";
export { readBudgets, resetBudget } from "./stored-budgets.ts";
