import { modelErrors } from "../errors.ts";
import { BudgetLedger, type LedgerHome } from "./budget-ledger.ts";
import type { Budget } from "./budget-options.ts";
import type { BudgetReport } from "./budget-report.ts";

/** Most ledgers of keys that are kept in memory while nothing is open; the others are read again. */
const keyLedgerCountMax = 10_000;

/** The ledgers of one runtime, by the name of the agent, supervisor or key that may spend. */
export class BudgetLedgers {
  readonly #home: LedgerHome;
  /** Of nodes, and of keys in the order in which they were used last. */
  readonly #nodes = new Map<string, BudgetLedger>();
  readonly #keys = new Map<string, BudgetLedger>();
  /** Keyed agents whose keys have budgets. */
  readonly #keyed = new Map<string, Budget>();

  /** @param home Keeps the ledgers and hears of them. */
  constructor(home: LedgerHome) {
    this.#home = home;
  }

  /** True when a budget is in USD. */
  get isInUsd(): boolean {
    const budgets = [...this.#nodes.values()].map(({ budget }) => budget);
    return [...budgets, ...this.#keyed.values()].some(({ usd }) => usd !== undefined);
  }

  /** Takes note of the budget of a node. */
  add(name: string, budget: Budget): BudgetLedger {
    const ledger = new BudgetLedger(this.#home, name, budget);
    this.#nodes.set(name, ledger);
    return ledger;
  }

  /** Takes note of a keyed agent whose keys have a budget each. */
  addKeyed(name: string, budget: Budget): void {
    this.#keyed.set(name, budget);
  }

  /** @returns The ledger of a key. */
  ofKey(name: string, budget: Budget): BudgetLedger {
    const ledger = this.#keys.get(name) ?? new BudgetLedger(this.#home, name, budget);
    this.#keys.delete(name);
    this.#keys.set(name, ledger);
    if (this.#keys.size > keyLedgerCountMax) this.#forgetIdle();
    return ledger;
  }

  /** Reads what was saved for nodes; what cannot be read is read with the first call. */
  async load(): Promise<void> {
    await Promise.allSettled([...this.#nodes.values()].map((ledger) => ledger.load()));
  }

  /** Settles when all is written, or has failed. */
  async close(): Promise<void> {
    const ledgers = [...this.#nodes.values(), ...this.#keys.values()];
    await Promise.all(ledgers.map((ledger) => ledger.saved()));
  }

  /** @returns The budgets of nodes, in the order of the tree, then of keys that were used lately. */
  reports(): BudgetReport[] {
    return [...this.#nodes.values(), ...this.#keys.values()]
      .filter((ledger) => ledger.isLoaded)
      .map((ledger) => ledger.report());
  }

  /**
   * Begins a budget again with nothing spent.
   *
   * @param name Of a node with a budget, or of a key of one.
   * @throws AGENTRT_MODEL_NO_BUDGET; what the store throws.
   */
  async reset(name: string): Promise<void> {
    const ledger = this.#nodes.get(name) ?? this.#keyLedgerOf(name);
    if (ledger === undefined) throw new modelErrors.NO_BUDGET({ name });
    await ledger.reset();
  }

  #keyLedgerOf(name: string): BudgetLedger | undefined {
    for (const [keyed, budget] of this.#keyed)
      if (name.startsWith(`${keyed}/`)) return this.ofKey(name, budget);
    return undefined;
  }

  #forgetIdle(): void {
    for (const [name, ledger] of this.#keys) {
      if (this.#keys.size <= keyLedgerCountMax) return;
      if (ledger.isIdle) this.#keys.delete(name);
    }
  }
}
