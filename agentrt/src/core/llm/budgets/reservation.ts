import type { Log } from "../../ports/index.ts";
import { modelErrors } from "../errors.ts";
import type { Amount, BudgetLedger } from "./budget-ledger.ts";

/** Who holds back what, and where. */
export interface ReservationInit {
  readonly agent: string;
  readonly log: Pick<Log, "warn">;
  readonly ledgers: readonly BudgetLedger[];
  readonly held: Amount;
}

/** How what was held back ends: a call cost nothing, what it is said to have cost, or what was held, because nobody knows. */
export type ReservationEnd =
  | { readonly kind: "release" }
  | { readonly kind: "forfeit" }
  | { readonly kind: "settle"; readonly used: Amount };

/** What one call may cost, held back in the ledgers of all budgets that it counts against. */
export class Reservation {
  readonly #init: ReservationInit;
  #isHeld = false;
  #isOver = false;

  /** @param init Who holds back what, and where. */
  constructor(init: ReservationInit) {
    this.#init = init;
  }

  /**
   * Holds it back, and saves that.
   *
   * @throws AGENTRT_MODEL_BUDGET_EXCEEDED, AGENTRT_MODEL_BUDGET_NOT_SAVED, AGENTRT_MODEL_BUDGET_LEDGER_INVALID; nothing is
   *   held back then.
   */
  async begin(): Promise<void> {
    const { agent, ledgers, held } = this.#init;
    await this.#inStore("read", (ledger) => (ledger.isLoaded ? undefined : ledger.load()));
    if (this.#isOver) return;
    // From here to the reservation nothing else runs: of calls that begin together only those pass that have room.
    for (const ledger of ledgers) ledger.refuseUsedUp(agent);
    for (const ledger of ledgers) ledger.reserve(held);
    this.#isHeld = true;
    try {
      await this.#inStore("saved", (ledger) => ledger.save());
    } catch (error) {
      this.#end({ kind: "release" });
      throw error;
    }
  }

  /** Ends it, once, and saves that. A ledger that cannot be saved is logged: it holds the reservation. */
  async end(how: ReservationEnd): Promise<void> {
    this.#end(how);
    if (!this.#isHeld) return;
    try {
      await this.#inStore("saved", (ledger) => ledger.save());
    } catch (error) {
      this.#init.log.warn("a ledger of model calls is behind: it is saved with the next call", {
        error,
      });
    }
  }

  #end(how: ReservationEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#isHeld) return;
    const { held, ledgers } = this.#init;
    for (const ledger of ledgers)
      if (how.kind === "settle") ledger.settle(held, how.used);
      else if (how.kind === "forfeit") ledger.forfeit(held);
      else ledger.release(held);
  }

  async #inStore(
    work: "read" | "saved",
    ask: (ledger: BudgetLedger) => Promise<void> | undefined,
  ): Promise<void> {
    const { agent, ledgers } = this.#init;
    await Promise.all(
      ledgers.map(async (ledger) => {
        try {
          await ask(ledger);
        } catch (cause) {
          if (cause instanceof modelErrors.BUDGET_LEDGER_INVALID) throw cause;
          const details = { agent, budget: ledger.name, work };
          throw new modelErrors.BUDGET_NOT_SAVED(details, { cause });
        }
      }),
    );
  }
}
