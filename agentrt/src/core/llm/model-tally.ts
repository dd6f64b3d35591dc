import type { ModelUsage } from "./model-provider.ts";
import { ModelUses, type UsesByModel } from "./model-uses.ts";

/** Most models of one agent that are told apart. */
const modelCountMax = 20;

/** What one agent used of models, summed over its incarnations, as a plain value. */
export interface ModelCounters {
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Of the calls whose price is known. */
  readonly costUsd: number;
  /** Calls of models that were begun. */
  readonly modelCalls: number;
  /** Of these, calls that failed. */
  readonly modelErrors: number;
  /** Answers that came from a fallback, because the provider that was asked could not give one. */
  readonly modelFallbacks: number;
  /** The model that answered last; null before the first answer. */
  readonly lastModel: string | null;
  /** What it used of each model: at most 20 by their names, the rest under `_other`. */
  readonly byModel: UsesByModel;
}

/** The model counters of one agent while they are counted. */
export class ModelTally {
  calls = 0;
  errors = 0;
  fallbacks = 0;
  #tokensIn = 0;
  #tokensOut = 0;
  #costUsd = 0;
  #lastModel: string | null = null;
  readonly #uses = new ModelUses(modelCountMax);

  /** Of the calls whose price is known. */
  get costUsd(): number {
    return this.#costUsd;
  }

  /** Adds what one call used. */
  add(usage: ModelUsage): void {
    this.#tokensIn += usage.tokensIn;
    this.#tokensOut += usage.tokensOut;
    this.#costUsd += usage.costUsd ?? 0;
    this.#lastModel = usage.model;
    this.#uses.add(usage);
  }

  /** @returns The counters as a plain value. */
  toValue(): ModelCounters {
    return {
      tokensIn: this.#tokensIn,
      tokensOut: this.#tokensOut,
      costUsd: this.#costUsd,
      modelCalls: this.calls,
      modelErrors: this.errors,
      modelFallbacks: this.fallbacks,
      lastModel: this.#lastModel,
      byModel: this.#uses.toValue(),
    };
  }
}

/** The counters of an agent that never asked a model. */
export const noModelCounters: ModelCounters = new ModelTally().toValue();
