import { type BudgetReport, type JsonObject, printable } from "../../core/index.ts";
import type { StoredBudget } from "./stored-budgets.ts";

/**
 * Writes what is spent of a budget: `5.02 of 5 USD, 40120 tokens`.
 *
 * @param budget As the store has it.
 */
export function spentText({ report }: StoredBudget): string {
  if (typeof report === "string") return report;
  const { limitUsd, limitTokens, reservedUsd, reservedTokens } = report;
  const usd = amountText(report.spentUsd, limitUsd);
  const tokens = amountText(report.spentTokens, limitTokens);
  const held =
    reservedTokens === 0
      ? ""
      : `, and ${amountText(reservedUsd, null)} USD, ${reservedTokens} tokens held back`;
  return `${usd} USD, ${tokens} tokens${held}`;
}

/**
 * Writes a budget under the names of printed JSON.
 *
 * @param budget As the store has it.
 */
export function budgetJson({ name, report }: StoredBudget): JsonObject {
  if (typeof report === "string") return { name, state: report };
  return {
    name,
    per: report.per,
    limit_usd: report.limitUsd,
    limit_tokens: report.limitTokens,
    spent_usd: report.spentUsd,
    spent_tokens: report.spentTokens,
    reserved_usd: report.reservedUsd,
    reserved_tokens: report.reservedTokens,
    calls: report.callCount,
    unsettled_calls: report.unsettledCallCount,
    unsettled_usd: report.unsettledUsd,
    unsettled_tokens: report.unsettledTokens,
    frees_at: report.freesAtMs === null ? null : report.freesAtMs / 1000,
  };
}

/**
 * Writes budgets as a table.
 *
 * @param budgets As the store has them.
 * @returns Lines with a head.
 */
export function budgetTable(budgets: readonly StoredBudget[]): string {
  const head = ["Budget", "Per", "Spent", "Calls", "Free again"];
  const rows = budgets.map((budget) => {
    const { report } = budget;
    if (typeof report === "string") return [printable(budget.name), "", report, "", ""];
    return [
      printable(budget.name),
      report.per,
      spentText(budget),
      callsText(report),
      report.freesAtMs === null ? "after a reset" : new Date(report.freesAtMs).toISOString(),
    ];
  });
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return `${[head, ...rows].map(line).join("\n")}\n`;
}

function callsText({ callCount, unsettledCallCount }: BudgetReport): string {
  return unsettledCallCount === 0 ? `${callCount}` : `${callCount}, ${unsettledCallCount} cut off`;
}

function amountText(spent: number, limit: number | null): string {
  const shown = String(Number(spent.toFixed(6)));
  return limit === null ? shown : `${shown} of ${limit}`;
}
