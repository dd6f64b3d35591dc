import type { Log } from "../../ports/index.ts";
import { modelErrors } from "../errors.ts";
import type { ModelProvider, ModelRequest, ModelUsage, NamedModel } from "../model-provider.ts";
import type { Amount, BudgetLedger } from "./budget-ledger.ts";
import { callCost, callEstimate, isFree } from "./call-estimate.ts";
import type { ModelBudget } from "./model-budget.ts";

/** Who spends, and on what. */
export interface SpendingInit {
  readonly agent: string;
  readonly log: Log;
  readonly budget: ModelBudget;
  readonly model: NamedModel;
  readonly request: ModelRequest;
}

/** What one attempt to ask a model costs, in the ledgers of all budgets that it counts against. */
export class Spending {
  readonly #init: SpendingInit;
  readonly #ledgers: readonly BudgetLedger[];
  readonly #held: Amount;
  #isHeld = false;
  #isOver = false;
  #isSent = false;
  #isAnswering = false;

  /** @param init Who spends, and on what. */
  constructor(init: SpendingInit) {
    this.#init = init;
    this.#ledgers = init.budget.ledgersOf(init.agent);
    this.#held = callEstimate(init.model.provider, init.request);
  }

  /**
   * Reserves what the attempt may cost, and saves that: then it may be made.
   *
   * @throws AGENTRT_MODEL_BUDGET_EXCEEDED, AGENTRT_MODEL_BUDGET_UNPRICED, AGENTRT_MODEL_BUDGET_NOT_SAVED,
   *   AGENTRT_MODEL_BUDGET_LEDGER_INVALID; nothing is reserved then.
   */
  async begin(): Promise<void> {
    this.#refuseUnpriced();
    await this.#inStore("read", (ledger) => (ledger.isLoaded ? undefined : ledger.load()));
    if (this.#isOver) return;
    // From here to the reservation nothing else runs: of calls that begin together only those pass that have room.
    for (const ledger of this.#ledgers) ledger.refuseUsedUp(this.#init.agent);
    for (const ledger of this.#ledgers) ledger.reserve(this.#held);
    this.#isHeld = true;
    try {
      await this.#inStore("saved", (ledger) => ledger.save());
    } catch (error) {
      this.#end((ledger) => ledger.release(this.#held));
      throw error;
    }
    // Who gave up meanwhile has ended it already.
    if (!this.#isOver) this.#isSent = true;
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
    if (usage.tokensIn + usage.tokensOut === 0) {
      this.#end((ledger) => ledger.forfeit(this.#held));
      return await this.#saveEnd();
    }
    const used = callCost(usage, model.provider.priceOf?.(request.model));
    this.#end((ledger) => ledger.settle(this.#held, used));
    await this.#saveEnd();
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
    this.#end((ledger) => (isOwed ? ledger.forfeit(this.#held) : ledger.release(this.#held)));
    void this.#saveEnd();
  }

  #end(end: (ledger: BudgetLedger) => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isHeld) for (const ledger of this.#ledgers) end(ledger);
  }

  async #saveEnd(): Promise<void> {
    if (!this.#isHeld) return;
    try {
      await this.#inStore("saved", (ledger) => ledger.save());
    } catch (error) {
      this.#init.log.warn("a ledger of model calls is behind: it is saved with the next call", {
        error,
      });
    }
  }

  async #inStore(
    work: "read" | "saved",
    ask: (ledger: BudgetLedger) => Promise<void> | undefined,
  ): Promise<void> {
    const { agent } = this.#init;
    await Promise.all(
      this.#ledgers.map(async (ledger) => {
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

  #refuseUnpriced(): void {
    const { agent, model, request } = this.#init;
    const inUsd = this.#ledgers.find(({ budget }) => budget.usd !== undefined);
    if (inUsd === undefined || isPriced(model.provider, request)) return;
    throw new modelErrors.BUDGET_UNPRICED({
      agent,
      budget: inUsd.name,
      provider: model.name,
      model: request.model,
    });
  }
}

function isPriced(provider: ModelProvider, { model }: ModelRequest): boolean {
  return provider.priceOf?.(model) !== undefined;
}
