import {
  type BudgetReport,
  budgetReportOf,
  budgetStateKey,
  isBudgetStateKey,
  type JsonObject,
} from "../../core/index.ts";
import { openStates, readStateAddress, stateErrors } from "../../state/index.ts";
import { shownState } from "../states/index.ts";

/** A budget as a state store has it. */
export interface StoredBudget {
  readonly name: string;
  /** What is spent; `<encrypted>` or `<unreadable>` where nothing can be said. */
  readonly report: BudgetReport | string;
}

const argument = { argument: "--db", isPathAllowed: true } as const;

/**
 * Reads the ledgers of a state store, also while a topology runs on it.
 *
 * @param text Path or URL of the store.
 * @returns The budgets by name; undefined when there is no such file.
 * @throws AGENTRT_STATE_*.
 */
export async function readBudgets(
  text: string,
): Promise<{ readonly label: string; readonly budgets: readonly StoredBudget[] } | undefined> {
  const states = openStates(readStateAddress(text, argument), { access: "look" });
  if (states === undefined) return undefined;
  const budgets: StoredBudget[] = [];
  try {
    for await (const { agent, text: state } of states.rows())
      if (isBudgetStateKey(agent))
        budgets.push(storedBudget(agent, shownState(state) as JsonObject));
    return { label: states.label, budgets: budgets.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } finally {
    await states.close();
  }
}

/**
 * Forgets what was spent of a budget.
 *
 * @param text Path or URL of the store.
 * @param name Of the agent, supervisor or key.
 * @throws AGENTRT_STATE_*, while a topology runs on the store, too.
 */
export async function resetBudget(text: string, name: string): Promise<void> {
  const states = openStates(readStateAddress(text, argument), { access: "write" });
  if (states === undefined)
    throw new stateErrors.OPEN_FAILED({ path: text, reason: "there is no such file" });
  try {
    await states.delete(budgetStateKey(name));
  } finally {
    await states.close();
  }
}

function storedBudget(key: string, state: JsonObject | string): StoredBudget {
  const name = key.slice(budgetStateKey("").length);
  if (typeof state === "string") return { name, report: state };
  try {
    return { name, report: budgetReportOf(key, state) };
  } catch {
    return { name, report: "<unreadable>" };
  }
}
