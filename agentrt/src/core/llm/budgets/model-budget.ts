import type { BudgetLedger } from "./budget-ledger.ts";
import type { BudgetLedgers } from "./budget-ledgers.ts";
import type { Budget } from "./budget-options.ts";

/** The budget of a node, and those of the nodes above it: a call counts against all of them. */
export class ModelBudget {
  readonly budget: Budget;
  readonly #above: ModelBudget | undefined;
  readonly #ledgerOf: (agent: string) => BudgetLedger;
  readonly #ledgers: BudgetLedgers;
  /** Name of its ledger; undefined where each key has one of its own name. */
  readonly #ledgerName: string | undefined;

  /**
   * @param ledgers Where its ledger is kept.
   * @param node Name of the node, and its budget; whether it comes and goes while the tree runs.
   * @param above The next budget above it; undefined for none.
   */
  constructor(
    ledgers: BudgetLedgers,
    node: {
      readonly name: string;
      readonly budget: Budget;
      readonly isSpawned?: boolean | undefined;
    },
    above: ModelBudget | undefined,
  ) {
    const { name, budget } = node;
    this.budget = budget;
    this.#above = above;
    this.#ledgers = ledgers;
    this.#ledgerName = budget.per === "key" ? undefined : name;
    if (budget.per === "key") {
      ledgers.addKeyed(name, budget);
      // The object of a key is an agent of its own name.
      this.#ledgerOf = (agent) => ledgers.ofGuest(agent, budget);
    } else if (node.isSpawned === true) {
      ledgers.ofGuest(name, budget);
      this.#ledgerOf = () => ledgers.ofGuest(name, budget);
    } else {
      const ledger = ledgers.add(name, budget);
      this.#ledgerOf = () => ledger;
    }
  }

  /** @returns The ledgers that a call of an agent counts in, the nearest first. */
  ledgersOf(agent: string): BudgetLedger[] {
    return [this.#ledgerOf(agent), ...(this.#above?.ledgersOf(agent) ?? [])];
  }

  /** Says whether what an agent has spent is being read or saved. Looking makes no ledger. */
  isWaiting(agent: string): boolean {
    const ledger = this.#ledgers.find(this.#ledgerName ?? agent);
    return ledger?.isWaiting === true || this.#above?.isWaiting(agent) === true;
  }
}
