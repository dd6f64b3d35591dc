import { printable } from "../../core/index.ts";
import type { CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { databaseFlag } from "./state-list.ts";

/** `agentrt budget reset`. */
export const budgetResetCommand: CommandSpec = {
  words: ["budget", "reset"],
  summary: "begin a budget of model calls again, with nothing spent",
  arguments: [{ name: "name", summary: "the agent, supervisor or key that has the budget" }],
  flags: [databaseFlag, { name: "force", short: "f", summary: "do not ask first" }],
  examples: [
    ["agentrt budget reset desk", "asks, then lets the agents below desk spend its budget again"],
    ["agentrt budget reset ticket/4711 --db demo/state.db --force", "one key, without asking"],
  ],
  run: async (input, io) => {
    const { readBudgets, resetBudget, spentText } = await import("../budgets/index.ts");
    const text = input.text("db") ?? "";
    const [name = ""] = input.arguments("name");
    const found = await readBudgets(text);
    const budget = found?.budgets.find((each) => each.name === name);
    if (found === undefined || budget === undefined)
      throw new cliErrors.NO_SUCH_BUDGET({
        budget: name,
        path: found?.label ?? text,
        names: (found?.budgets ?? []).map((each) => each.name),
      });
    const what = `the budget of "${name}" (${spentText(budget)})`;
    if (!input.isSet("force")) {
      if (io.confirm === undefined)
        throw new cliErrors.CONFIRMATION_MISSING({ command: "budget reset", flag: "--force" });
      if (!(await io.confirm(`Reset ${what} in "${found.label}"?`))) {
        io.tell("aborted: nothing was reset");
        return 1;
      }
    }
    await resetBudget(text, name);
    io.print(`${printable(`Reset ${what} in "${found.label}"`)}\n`);
    return 0;
  },
};
