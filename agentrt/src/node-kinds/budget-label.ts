import type { BudgetOptions } from "../core/index.ts";
import { budgetText } from "../topology/index.ts";

/** @returns What is drawn of a budget behind the label of a node; nothing without one. */
export function budgetLabel(budget: BudgetOptions | undefined): string {
  return budget === undefined ? "" : `  budget: ${budgetText(budget)}`;
}
