import { modelErrors } from "../errors.ts";
import { BudgetLedger, type LedgerHome } from "./budget-ledger.ts";
import type { Budget } from "./budget-options.ts";
import type { BudgetReport } from "./budget-report.ts";

/** Most ledgers of keys and spawned children that are kept in memory while nothing is open; the others are read again. */
const guestLedgerCountMax = 10_000;

/** The ledgers of one runtime, by the name of the agent, supervisor or key that may spend. */
export class BudgetLedgers {
  readonly #home: LedgerHome;
  readonly #nodes = new Map<string, BudgetLedger>();
  /** Of keys and spawned children, in the order in which they were used last. */
  readonly #guests = new Map<string, BudgetLedger>();
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

  /** Takes note of the budget of a node; of one that has had another, what was spent counts on. */
  add(name: string, budget: Budget): BudgetLedger {
    const ledger = this.#nodes.get(name) ?? new BudgetLedger(this.#home, name, budget);
    ledger.budget = budget;
    this.#nodes.set(name, ledger);
    return ledger;
  }

  /** Forgets the ledgers of nodes, and the budgets of keys, that are not among these names; what they saved stays. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#nodes.keys()) if (!names.has(name)) this.#nodes.delete(name);
    for (const name of this.#keyed.keys()) if (!names.has(name)) this.#keyed.delete(name);
  }

  /** Takes note of a keyed agent whose keys have a budget each. */
  addKeyed(name: string, budget: Budget): void {
    this.#keyed.set(name, budget);
  }

  /** @returns The ledger of a key, or of a spawned child: of the name, whose budget is this one now. */
  ofGuest(name: string, budget: Budget): BudgetLedger {
    const ledger = this.#guests.get(name) ?? new BudgetLedger(this.#home, name, budget);
    ledger.budget = budget;
    this.#guests.delete(name);
    this.#guests.set(name, ledger);
    if (this.#guests.size > guestLedgerCountMax) this.#dropIdle();
    return ledger;
  }

  /** @returns The ledger of a name, if there is one in memory. */
  find(name: string): BudgetLedger | undefined {
    return this.#nodes.get(name) ?? this.#guests.get(name);
  }

  /**
   * Forgets what a spawned child has spent, in the store too.
   *
   * @throws What the store throws.
   */
  async forgetSpawned(name: string, budget: Budget): Promise<void> {
    const ledger = this.ofGuest(name, budget);
    await ledger.forget();
    if (ledger.isForgotten && ledger.isIdle && this.#guests.get(name) === ledger)
      this.#guests.delete(name);
  }

  /** Reads what was saved for nodes; what cannot be read is read with the first call. */
  async load(): Promise<void> {
    await Promise.allSettled([...this.#nodes.values()].map((ledger) => ledger.load()));
  }

  /** Settles when all is written, or has failed. */
  async close(): Promise<void> {
    const ledgers = [...this.#nodes.values(), ...this.#guests.values()];
    await Promise.all(ledgers.map((ledger) => ledger.saved()));
  }

  /** @returns The budgets of nodes, in the order of the tree, then of keys and spawned children that were used lately. */
  reports(): BudgetReport[] {
    return [...this.#nodes.values(), ...this.#guests.values()]
      .filter((ledger) => ledger.isLoaded && !ledger.isForgotten)
      .map((ledger) => ledger.report());
  }

  /**
   * Begins a budget again with nothing spent.
   *
   * @param name Of a node or spawned child with a budget, or of a key of one.
   * @throws AGENTRT_MODEL_NO_BUDGET; what the store throws.
   */
  async reset(name: string): Promise<void> {
    const ledger = this.find(name) ?? this.#keyLedgerOf(name);
    if (ledger === undefined) throw new modelErrors.NO_BUDGET({ name });
    await ledger.reset();
  }

  #keyLedgerOf(name: string): BudgetLedger | undefined {
    for (const [keyed, budget] of this.#keyed)
      if (name.startsWith(`${keyed}/`)) return this.ofGuest(name, budget);
    return undefined;
  }

  #dropIdle(): void {
    for (const [name, ledger] of this.#guests) {
      if (this.#guests.size <= guestLedgerCountMax) return;
      if (ledger.isIdle) this.#guests.delete(name);
    }
  }
}
