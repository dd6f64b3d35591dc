import type { JsonObject, JsonValue } from "../../values/index.ts";
import { modelErrors } from "../errors.ts";
import type { BudgetPeriod } from "./budget-options.ts";
import type { BudgetReport } from "./budget-report.ts";

const prefix = "_agency.budget/";

/**
 * Says under which name the state store keeps the ledger of a budget: one that no agent may have.
 *
 * @param name Of an agent, a supervisor or a key.
 */
export function budgetStateKey(name: string): string {
  return `${prefix}${name}`;
}

/** True for a name under which the ledger of a budget is kept. */
export function isBudgetStateKey(key: string): boolean {
  return key.startsWith(prefix);
}

/** What a ledger keeps of itself over restarts, and whether it has warned in this period. */
export interface LedgerRecord extends BudgetReport {
  /** Calls that run. */
  readonly openCallCount: number;
  readonly isWarned: boolean;
}

/** @returns The record as the store keeps it. */
export function savedLedgerOf(record: LedgerRecord): JsonObject {
  return {
    version: 1,
    per: record.per,
    limit_usd: record.limitUsd,
    limit_tokens: record.limitTokens,
    spent_usd: record.spentUsd,
    spent_tokens: record.spentTokens,
    reserved_usd: record.reservedUsd,
    reserved_tokens: record.reservedTokens,
    calls: record.callCount,
    open_calls: record.openCallCount,
    unsettled_calls: record.unsettledCallCount,
    unsettled_usd: record.unsettledUsd,
    unsettled_tokens: record.unsettledTokens,
    period_start_ms: record.periodStartMs,
    frees_at_ms: record.freesAtMs,
    warned: record.isWarned,
  };
}

/**
 * Reads a saved ledger.
 *
 * @param name Whose it is.
 * @param saved What the store holds.
 * @throws AGENTRT_MODEL_BUDGET_LEDGER_INVALID when it is none: nobody knows then what was spent.
 */
export function readSavedLedger(name: string, saved: JsonObject): LedgerRecord {
  const refuse = (reason: string): never => {
    throw new modelErrors.BUDGET_LEDGER_INVALID({ budget: name, reason });
  };
  if (saved["version"] !== 1) refuse(`its version is ${JSON.stringify(saved["version"])}`);
  const count = (key: string): number => {
    const value = saved[key];
    return isCount(value) ? value : refuse(`${key} is not a number of 0 or more`);
  };
  const optional = (key: string): number | null => (saved[key] === null ? null : count(key));
  const { per } = saved;
  return {
    name,
    per: isPeriod(per) ? per : refuse("per is none of run, hour, key"),
    limitUsd: optional("limit_usd"),
    limitTokens: optional("limit_tokens"),
    spentUsd: count("spent_usd"),
    spentTokens: count("spent_tokens"),
    reservedUsd: count("reserved_usd"),
    reservedTokens: count("reserved_tokens"),
    callCount: count("calls"),
    openCallCount: count("open_calls"),
    unsettledCallCount: count("unsettled_calls"),
    unsettledUsd: count("unsettled_usd"),
    unsettledTokens: count("unsettled_tokens"),
    periodStartMs: optional("period_start_ms"),
    freesAtMs: optional("frees_at_ms"),
    isWarned: saved["warned"] === true,
  };
}

/**
 * Reads what the store keeps of a budget, for showing it while nothing runs.
 *
 * @param key Under which it is kept.
 * @param saved What the store holds.
 * @throws AGENTRT_MODEL_BUDGET_LEDGER_INVALID.
 */
export function budgetReportOf(key: string, saved: JsonObject): BudgetReport {
  const {
    openCallCount: _open,
    isWarned: _warned,
    ...report
  } = readSavedLedger(key.slice(prefix.length), saved);
  return report;
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isPeriod(value: JsonValue | undefined): value is BudgetPeriod {
  return value === "run" || value === "hour" || value === "key";
}
