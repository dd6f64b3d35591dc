import type { Log } from "../../ports/index.ts";
import type { ModelRequest, ModelUsage, NamedModel } from "../model-provider.ts";
import type { Amount, BudgetLedger } from "./budget-ledger.ts";
import { type BudgetsAbove, type HeldAbove, refuseUnpriced } from "./budgets-above.ts";
import { callCost, callEstimate, isFree } from "./call-estimate.ts";
import type { ModelBudget } from "./model-budget.ts";
import { Reservation, type ReservationEnd } from "./reservation.ts";

/** Who spends, and on what. */
export interface SpendingInit {
  readonly agent: string;
  readonly log: Log;
  readonly budget: ModelBudget | undefined;
  /** Budgets of another process that it counts against, too. */
  readonly above: BudgetsAbove | undefined;
  readonly model: NamedModel;
  readonly request: ModelRequest;
}

/** What one attempt to ask a model costs, in the ledgers of all budgets that it counts against. */
export class Spending {
  readonly #init: SpendingInit;
  readonly #ledgers: readonly BudgetLedger[];
  readonly #held: Amount;
  readonly #reservation: Reservation;
  #above: HeldAbove | undefined;
  #isOver = false;
  #isSent = false;
  #isAnswering = false;

  /** @param init Who spends, and on what. */
  constructor(init: SpendingInit) {
    this.#init = init;
    this.#ledgers = init.budget?.ledgersOf(init.agent) ?? [];
    this.#held = callEstimate(init.model.provider, init.request);
    const { agent, log } = init;
    this.#reservation = new Reservation({ agent, log, ledgers: this.#ledgers, held: this.#held });
  }

  /**
   * Reserves what the attempt may cost, and saves that: then it may be made.
   *
   * @throws AGENTRT_MODEL_BUDGET_EXCEEDED, AGENTRT_MODEL_BUDGET_UNPRICED, AGENTRT_MODEL_BUDGET_NOT_SAVED,
   *   AGENTRT_MODEL_BUDGET_LEDGER_INVALID; nothing is reserved then.
   */
  async begin(): Promise<void> {
    const { agent, model, request, above } = this.#init;
    const isPriced = model.provider.priceOf?.(request.model) !== undefined;
    const call = { agent, provider: model.name, model: request.model, isPriced };
    refuseUnpriced(this.#ledgers, call);
    await this.#reservation.begin();
    if (this.#isOver) return;
    if (above !== undefined) await this.#holdAbove(above, { ...call, ...this.#held });
    // Who gave up meanwhile has ended it already.
    if (!this.#isOver) this.#isSent = true;
  }

  async #holdAbove(above: BudgetsAbove, call: Parameters<BudgetsAbove["hold"]>[0]): Promise<void> {
    try {
      const held = await above.hold(call);
      if (this.#isOver) held.end({ kind: "release" });
      else this.#above = held;
    } catch (error) {
      void this.#end({ kind: "release" });
      throw error;
    }
  }

  /** Notes that a part of the answer has come: from now on it costs something. */
  answering(): void {
    this.#isAnswering = true;
  }

  /**
   * Counts what the attempt did cost, and saves that. A ledger that cannot be saved is logged: it holds the reservation.
   *
   * @param usage What the provider told.
   */
  async settle(usage: ModelUsage): Promise<void> {
    const { model, request } = this.#init;
    // No answer takes no tokens: this provider does not count them.
    if (usage.tokensIn + usage.tokensOut === 0) return await this.#end({ kind: "forfeit" });
    const used = callCost(usage, model.provider.priceOf?.(request.model));
    await this.#end({ kind: "settle", used });
  }

  /**
   * Counts an attempt that failed: as what the provider told, as nothing where nothing is owed, else as what was
   * reserved. It is saved later: until then the ledger holds the reservation.
   *
   * @param error What it failed with.
   * @param usage What the provider told; undefined for nothing.
   */
  fail(error: unknown, usage: ModelUsage | undefined): void {
    if (this.#isOver) return;
    if (usage !== undefined) return void this.settle(usage);
    const isOwed = this.#isSent && (this.#isAnswering || !isFree(error));
    void this.#end({ kind: isOwed ? "forfeit" : "release" });
  }

  async #end(how: ReservationEnd): Promise<void> {
    if (!this.#isOver) this.#above?.end(how);
    this.#isOver = true;
    await this.#reservation.end(how);
  }
}
