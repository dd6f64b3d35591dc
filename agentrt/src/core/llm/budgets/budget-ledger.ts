import type { Log, StateStore, StoreFaults, System } from "../../ports/index.ts";
import { modelErrors } from "../errors.ts";
import type { BudgetEvent } from "./budget-event.ts";
import type { Budget } from "./budget-options.ts";
import type { BudgetReport } from "./budget-report.ts";
import {
  budgetStateKey,
  type LedgerRecord,
  readSavedLedger,
  savedLedgerOf,
} from "./saved-ledger.ts";

/** What a ledger needs of the kernel. */
export interface LedgerHome {
  readonly store: StateStore;
  readonly storeFaults: StoreFaults;
  readonly system: System;
  readonly log: Log;
  emit(event: BudgetEvent): void;
}

/** What a call costs, or may cost. */
export interface Amount {
  readonly usd: number;
  readonly tokens: number;
}

/** Share of a budget after which it warns. */
const warnShare = 0.8;
const hourMs = 3_600_000;

type Counts = Pick<
  LedgerRecord,
  | "spentUsd"
  | "spentTokens"
  | "callCount"
  | "unsettledCallCount"
  | "unsettledUsd"
  | "unsettledTokens"
>;

const nothing: Counts = {
  spentUsd: 0,
  spentTokens: 0,
  callCount: 0,
  unsettledCallCount: 0,
  unsettledUsd: 0,
  unsettledTokens: 0,
};

/**
 * What was spent of one budget, and what is held back for calls that run. Everything but reading and saving happens at
 * once, so that of calls that begin together each sees what those before it have reserved.
 */
export class BudgetLedger {
  readonly name: string;
  /** How much may be spent: for a spawned child, as the latest spawn of its name says. */
  budget: Budget;
  readonly #home: LedgerHome;
  #counts: Counts = nothing;
  #reservedUsd = 0;
  #reservedTokens = 0;
  #openCallCount = 0;
  #periodStartMs: number | null = null;
  #isWarned = false;
  /** True when it has said in this period that it is used up. */
  #isToldExceeded = false;
  #isLoaded = false;
  #isForgotten = false;
  #loading: Promise<void> | undefined;
  /** The write that is under way, and the one that takes what came meanwhile. */
  #writing: Promise<void> | undefined;
  #nextWrite: Promise<void> | undefined;

  /**
   * @param home Keeps it and hears of it.
   * @param name Of the agent, supervisor or key that may spend.
   * @param budget How much.
   */
  constructor(home: LedgerHome, name: string, budget: Budget) {
    this.#home = home;
    this.name = name;
    this.budget = budget;
  }

  /** True once what was saved is read. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** True when nothing is to be kept of it, until the next call. */
  get isForgotten(): boolean {
    return this.#isForgotten;
  }

  /** True while the store has not answered what it was asked. */
  get isWaiting(): boolean {
    return (this.#loading ?? this.#writing ?? this.#nextWrite) !== undefined;
  }

  /** True while nothing would be lost if it were forgotten and read again. */
  get isIdle(): boolean {
    return (
      this.#openCallCount === 0 && this.#writing === undefined && this.#nextWrite === undefined
    );
  }

  /**
   * Reads what was saved, once. What was reserved then counts as spent: nobody knows what became of those calls.
   *
   * @throws What the store throws, and then it is tried again the next time; AGENTRT_MODEL_BUDGET_LEDGER_INVALID.
   */
  load(): Promise<void> {
    if (this.#isLoaded) return Promise.resolve();
    return (this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    }));
  }

  /**
   * Refuses a call when nothing is left.
   *
   * @param agent Who wants to call.
   * @throws AGENTRT_MODEL_BUDGET_EXCEEDED.
   */
  refuseUsedUp(agent: string): void {
    // Calls that were open when it was forgotten have counted since then.
    if (this.#isForgotten && this.#openCallCount === 0) this.#begin(this.#hourNow());
    this.#turnPeriod();
    const { usd, tokens, per } = this.budget;
    const { spentUsd, spentTokens } = this.#counts;
    const isOver = (limit: number | undefined, spent: number): boolean =>
      limit !== undefined && spent >= limit;
    const isUsd = isOver(usd, spentUsd + this.#reservedUsd);
    if (!isUsd && !isOver(tokens, spentTokens + this.#reservedTokens)) return;
    const report = this.report();
    if (isOver(usd, spentUsd) || isOver(tokens, spentTokens)) this.#tellExceeded(agent, report);
    throw new modelErrors.BUDGET_EXCEEDED({
      agent,
      budget: this.name,
      per,
      unit: isUsd ? "usd" : "tokens",
      limit: (isUsd ? usd : tokens) ?? 0,
      spent: isUsd ? spentUsd : spentTokens,
      reserved: isUsd ? this.#reservedUsd : this.#reservedTokens,
      freesAtMs: report.freesAtMs,
    });
  }

  /** Holds back what a call may cost. */
  reserve({ usd, tokens }: Amount): void {
    this.#isForgotten = false;
    this.#openCallCount += 1;
    this.#reservedUsd += usd;
    this.#reservedTokens += tokens;
  }

  /** Gives back what was held for a call that cost nothing. */
  release(held: Amount): void {
    this.#turnPeriod();
    this.#giveBack(held);
  }

  /** Puts what a call did cost in place of what was held for it. */
  settle(held: Amount, used: Amount): void {
    this.release(held);
    const { spentUsd, spentTokens, callCount } = this.#counts;
    this.#counts = {
      ...this.#counts,
      spentUsd: spentUsd + used.usd,
      spentTokens: spentTokens + used.tokens,
      callCount: callCount + 1,
    };
    this.#warn();
  }

  /** Counts what was held for a call as spent: nobody knows what it cost. */
  forfeit(held: Amount): void {
    this.release(held);
    this.#addUnsettled(held, 1);
    this.#warn();
  }

  /** Begins again with nothing spent, whatever was saved. What is held for calls that run stays held. */
  async reset(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    this.#isLoaded = true;
    this.#begin(this.#hourNow());
    const budget = this.report();
    const atMs = this.#home.system.nowMs();
    this.#home.log.info("a budget of model calls begins again", shownFields(budget));
    this.#home.emit({ type: "budget.reset", name: this.name, atMs, budget });
    await this.save();
  }

  /**
   * Forgets what was spent, here and in the store: who had the budget is gone.
   *
   * @throws What the store throws.
   */
  async forget(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    this.#isLoaded = true;
    this.#isForgotten = true;
    this.#begin(this.#hourNow());
    await this.save();
  }

  /**
   * Saves what is known now, together with what others ask to be saved before the write begins.
   *
   * @throws What the store throws.
   */
  save(): Promise<void> {
    return (this.#nextWrite ??= this.#write());
  }

  /** Settles when what was asked to be saved is written, or has failed. */
  async saved(): Promise<void> {
    await (this.#nextWrite ?? this.#writing)?.catch(() => undefined);
  }

  /** @returns The budget, and what was spent, as a plain value. */
  report(): BudgetReport {
    this.#turnPeriod();
    const { usd, tokens, per } = this.budget;
    const periodStartMs = this.#periodStartMs;
    return {
      name: this.name,
      per,
      limitUsd: usd ?? null,
      limitTokens: tokens ?? null,
      ...this.#counts,
      reservedUsd: this.#reservedUsd,
      reservedTokens: this.#reservedTokens,
      periodStartMs,
      freesAtMs: periodStartMs === null ? null : periodStartMs + hourMs,
    };
  }

  async #load(): Promise<void> {
    const { store, storeFaults } = this.#home;
    let saved;
    try {
      saved = await store.get(budgetStateKey(this.name));
    } catch (error) {
      storeFaults.note(error);
      throw error;
    }
    if (saved !== undefined && saved !== null) this.#restore(readSavedLedger(this.name, saved));
    this.#isLoaded = true;
    this.#turnPeriod();
    // Else it is saved with the next call.
    if (this.#counts.unsettledCallCount !== (saved?.["unsettled_calls"] ?? 0))
      this.save().catch(() => undefined);
  }

  #restore(record: LedgerRecord): void {
    this.#counts = {
      spentUsd: record.spentUsd,
      spentTokens: record.spentTokens,
      callCount: record.callCount,
      unsettledCallCount: record.unsettledCallCount,
      unsettledUsd: record.unsettledUsd,
      unsettledTokens: record.unsettledTokens,
    };
    this.#periodStartMs = record.periodStartMs;
    const { usd = null, tokens = null } = this.budget;
    const isSameLimit = record.limitUsd === usd && record.limitTokens === tokens;
    this.#isWarned = record.isWarned && isSameLimit;
    if (record.openCallCount === 0) return;
    const held = { usd: record.reservedUsd, tokens: record.reservedTokens };
    this.#addUnsettled(held, record.openCallCount);
    this.#home.log.warn("model calls were open when the process ended: they count as spent", {
      budget: this.name,
      calls: record.openCallCount,
      ...held,
    });
  }

  #addUnsettled({ usd, tokens }: Amount, callCount: number): void {
    const { spentUsd, spentTokens } = this.#counts;
    const { unsettledCallCount, unsettledUsd, unsettledTokens } = this.#counts;
    this.#counts = {
      ...this.#counts,
      spentUsd: spentUsd + usd,
      spentTokens: spentTokens + tokens,
      unsettledCallCount: unsettledCallCount + callCount,
      unsettledUsd: unsettledUsd + usd,
      unsettledTokens: unsettledTokens + tokens,
    };
  }

  #giveBack({ usd, tokens }: Amount): void {
    this.#openCallCount -= 1;
    const isLast = this.#openCallCount === 0;
    // Sums of fractions leave a rest.
    this.#reservedUsd = isLast ? 0 : Math.max(0, this.#reservedUsd - usd);
    this.#reservedTokens = isLast ? 0 : this.#reservedTokens - tokens;
  }

  #hourNow(): number | null {
    const nowMs = this.#home.system.nowMs();
    return this.budget.per === "hour" ? nowMs - (nowMs % hourMs) : null;
  }

  /** Begins a new hour. After a clock that was put back the same spending counts for the hour that it shows. */
  #turnPeriod(): void {
    const hour = this.#hourNow();
    if (hour === this.#periodStartMs) return;
    const isLater = hour !== null && this.#periodStartMs !== null && hour > this.#periodStartMs;
    if (isLater) this.#begin(hour);
    else this.#periodStartMs = hour;
  }

  #begin(periodStartMs: number | null): void {
    this.#counts = nothing;
    this.#periodStartMs = periodStartMs;
    this.#isWarned = false;
    this.#isToldExceeded = false;
  }

  #warn(): void {
    const { usd, tokens } = this.budget;
    const { spentUsd, spentTokens } = this.#counts;
    const isNear = (limit: number | undefined, spent: number): boolean =>
      limit !== undefined && spent >= limit * warnShare;
    if (this.#isWarned || !(isNear(usd, spentUsd) || isNear(tokens, spentTokens))) return;
    this.#isWarned = true;
    const budget = this.report();
    const atMs = this.#home.system.nowMs();
    this.#home.log.warn("80 % of a budget of model calls are spent", shownFields(budget));
    this.#home.emit({ type: "budget.warning", name: this.name, atMs, budget });
  }

  #tellExceeded(agent: string, budget: BudgetReport): void {
    if (this.#isToldExceeded) return;
    this.#isToldExceeded = true;
    const { log, system } = this.#home;
    log.error("a budget of model calls is used up: calls are refused", shownFields(budget));
    const atMs = system.nowMs();
    this.#home.emit({ type: "budget.exceeded", name: this.name, agent, atMs, budget });
  }

  async #write(): Promise<void> {
    // What is asked for until the write before is done goes into this one.
    await this.#writing?.catch(() => undefined);
    this.#nextWrite = undefined;
    const writing = this.#set();
    this.#writing = writing;
    try {
      await writing;
    } finally {
      if (this.#writing === writing) this.#writing = undefined;
    }
  }

  async #set(): Promise<void> {
    const { store, storeFaults } = this.#home;
    const record = {
      ...this.report(),
      openCallCount: this.#openCallCount,
      isWarned: this.#isWarned,
    };
    const key = budgetStateKey(this.name);
    try {
      if (this.#isForgotten) await store.delete(key);
      else await store.set(key, savedLedgerOf(record));
    } catch (error) {
      storeFaults.note(error);
      throw error;
    }
  }
}

/** What a log line says of a budget. */
function shownFields(budget: BudgetReport): { readonly [field: string]: unknown } {
  const { name, per, limitUsd, limitTokens, spentUsd, spentTokens, freesAtMs } = budget;
  return {
    budget: name,
    per,
    ...(limitUsd === null ? {} : { limitUsd, spentUsd }),
    ...(limitTokens === null ? {} : { limitTokens, spentTokens }),
    ...(freesAtMs === null ? {} : { freesAt: new Date(freesAtMs).toISOString() }),
  };
}
