import type { Budget, BudgetReport, RuntimeEvent } from "../../core/index.ts";
import type { Fact, ModelAmount, ModelAsk } from "../fact.ts";
import type { Invariant, View } from "../invariant.ts";
import type { PlannedNode } from "../tree-plan.ts";

/** What the models themselves have sold to the agents that a budget is for. */
interface Sold extends ModelAmount {
  /** The hour in which it was sold; 0 for other periods. */
  readonly periodStartMs: number;
  /** The most that a budget held back for one of the calls. */
  readonly held: ModelAmount;
  /** By how much answers were longer than they might be. */
  readonly excess: ModelAmount;
  /** Of the answers that somebody waited for. */
  readonly wanted: ModelAmount;
  readonly wantedMost: ModelAmount;
}

const hourMs = 3_600_000;
const none: ModelAmount = { tokens: 0, usd: 0 };
const units = ["tokens", "usd"] as const;
/** Sums of fractions differ in their last digits. */
const slackUsd = 1e-9;

/** Models sell no more than a budget allows, and the last call that it let pass. */
export function budgetsHold(): Invariant {
  const books = new Books();
  return {
    name: "budgets-hold",
    onFact: (fact, view) => {
      for (const { name, budget, sold } of books.keep(fact, view)) {
        for (const unit of units) {
          const limit = budget[unit];
          if (limit === undefined) continue;
          const most = limit + sold.held[unit] + sold.excess[unit] + slackUsd;
          if (sold[unit] > most)
            return `${sold[unit]} ${unit} are sold of the budget of "${name}", which allows ${limit} and the last call: ${most}`;
        }
      }
      return undefined;
    },
  };
}

/** What a ledger says is what the models have counted: no more, and less only for calls that were cut off. */
export function ledgersAgree(): Invariant {
  const books = new Books();
  return {
    name: "ledgers-agree",
    onFact: (fact, view) => {
      books.keep(fact, view);
      return undefined;
    },
    onQuiet: (view) => {
      for (const report of view.budgets()) {
        // Of a call that runs it is not known yet.
        if (report.reservedTokens !== 0) continue;
        const reason = disagreement(report, books.of(report));
        if (reason !== undefined) return reason;
      }
      return undefined;
    },
  };
}

function disagreement(report: BudgetReport, sold: Sold | undefined): string | undefined {
  const settled: ModelAmount = {
    tokens: report.spentTokens - report.unsettledTokens,
    usd: report.spentUsd - report.unsettledUsd,
  };
  for (const unit of units) {
    const most = sold?.wanted[unit] ?? 0;
    const cutOff = report.unsettledCallCount * (sold?.wantedMost[unit] ?? 0);
    if (settled[unit] > most + slackUsd || settled[unit] < most - cutOff - slackUsd)
      return `the ledger of "${report.name}" has ${settled[unit]} ${unit}, and the models count ${most}`;
  }
  return undefined;
}

/** What is sold of one budget. */
interface Account {
  readonly name: string;
  readonly budget: Budget;
  readonly sold: Sold;
}

interface Sale {
  readonly name: string;
  readonly budget: Budget;
  readonly ask: ModelAsk;
  readonly used: ModelAmount;
  readonly atMs: number;
}

/** Who has a budget, and what was sold of it: the models' own count. */
class Books {
  readonly #sold = new Map<string, Sold>();
  readonly #spawned = new Map<
    string,
    { readonly supervisor: string; readonly budget: Budget | undefined }
  >();

  /**
   * Takes a fact into the books.
   *
   * @returns The budgets that it was sold of, each with all that is sold of it; none for what sells nothing.
   */
  keep(fact: Fact, view: View): readonly Account[] {
    if (fact.type === "event") this.#note(fact.event);
    if (fact.type !== "modelAnswered" || fact.used === undefined) return [];
    const { ask, used, atMs } = fact;
    return this.#budgetsOf(ask.agent, view).map(({ name, budget }) => ({
      name,
      budget,
      sold: this.#add({ name, budget, ask, used, atMs }),
    }));
  }

  /** Notes whose child a spawned agent is, and begins again for a budget that was reset or forgotten. */
  #note(event: RuntimeEvent): void {
    if (event.type === "budget.reset") this.#sold.delete(event.name);
    if (event.type === "dynamic.spawned") this.#spawned.set(event.child, event);
    if (event.type === "dynamic.terminated" && isEnd(event.reason)) this.#sold.delete(event.child);
  }

  /** @returns What was sold in the period that a report is of. */
  of({ name, periodStartMs }: BudgetReport): Sold | undefined {
    const sold = this.#sold.get(name);
    return sold?.periodStartMs === (periodStartMs ?? 0) ? sold : undefined;
  }

  /** @returns The budgets that a call of an agent counts against, with the name of who spends it. */
  #budgetsOf(agent: string, { plan }: View): { readonly name: string; readonly budget: Budget }[] {
    const spawned = this.#spawned.get(agent);
    const first =
      plan.node(spawned?.supervisor ?? agent) ??
      plan.poolOf(agent) ??
      plan.keyedOf(agent) ??
      undefined;
    const found: { readonly name: string; readonly budget: Budget }[] = [];
    if (spawned?.budget !== undefined) found.push({ name: agent, budget: spawned.budget });
    for (let at: PlannedNode | undefined = first; at !== undefined; at = at.parent) {
      const { budget } = at.spec;
      if (budget !== undefined)
        found.push({ name: budget.per === "key" ? agent : at.name, budget });
    }
    return found;
  }

  /** @returns What is sold of a budget with this sale. */
  #add({ name, budget, ask, used, atMs }: Sale): Sold {
    const periodStartMs = budget.per === "hour" ? atMs - (atMs % hourMs) : 0;
    const known = this.#sold.get(name);
    const before = known?.periodStartMs === periodStartMs ? known : undefined;
    const isWanted = !ask.signal.aborted;
    const longer = join(used, ask.answerMost, (a, b) => Math.max(0, a - b));
    const sold: Sold = {
      periodStartMs,
      ...join(before ?? none, used, (a, b) => a + b),
      held: join(before?.held ?? none, ask.most, Math.max),
      excess: join(before?.excess ?? none, longer, (a, b) => a + b),
      wanted: join(before?.wanted ?? none, isWanted ? used : none, (a, b) => a + b),
      wantedMost: join(before?.wantedMost ?? none, isWanted ? used : none, Math.max),
    };
    this.#sold.set(name, sold);
    return sold;
  }
}

/** True for the end of a spawned child after which nothing of it is kept. */
function isEnd(reason: string): boolean {
  return reason === "despawned" || reason === "clean_exit";
}

function join(a: ModelAmount, b: ModelAmount, of: (a: number, b: number) => number): ModelAmount {
  return { tokens: of(a.tokens, b.tokens), usd: of(a.usd, b.usd) };
}
