import { type CommandSpec, jsonFlag } from "../command.ts";
import { safeJson } from "../safe-json.ts";
import { databaseFlag } from "./state-list.ts";

/** `agentrt budget list`. */
export const budgetListCommand: CommandSpec = {
  words: ["budget", "list"],
  summary: "list budgets of model calls with what is spent of them",
  flags: [databaseFlag, jsonFlag],
  examples: [
    ["agentrt budget list", "lists what ./agency_state.db knows, also while a topology runs"],
    ["agentrt budget list --db demo/state.db --json", "prints another file for a script"],
  ],
  run: async (input, io) => {
    const { budgetJson, budgetTable, readBudgets } = await import("../budgets/index.ts");
    const text = input.text("db") ?? "";
    const found = await readBudgets(text);
    if (found === undefined) io.tell(`warning: there is no state file "${text}"`);
    else if (found.budgets.length === 0)
      io.tell(`no model call has counted against a budget in "${found.label}"`);
    const { label = text, budgets = [] } = found ?? {};
    if (budgets.some(({ report }) => report === "<encrypted>"))
      io.tell(
        "note: the ledgers of an encrypted store are sealed: /snapshot of a topology server shows them, and runtime.budgets()",
      );
    if (input.isSet("json")) {
      const document = { db: label, budgets: budgets.map(budgetJson) };
      io.print(`${safeJson(document, { indent: 2 })}\n`);
    } else if (budgets.length > 0) io.print(budgetTable(budgets));
    return 0;
  },
};
