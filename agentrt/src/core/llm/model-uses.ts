import type { ModelUsage } from "./model-provider.ts";

/** What was used of one model, as a plain value. */
export interface ModelUse {
  /** Calls that it answered; those that failed count where it is known what they used. */
  readonly calls: number;
  /** Of these, calls whose price is not known: `costUsd` is without them. */
  readonly unpricedCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Of the calls whose price is known. */
  readonly costUsd: number;
}

/** Uses by the model, in the order in which the models answered first. */
export interface UsesByModel {
  readonly [model: string]: ModelUse;
}

/** The name under which the models beyond the most are added up. */
export const otherModels = "_other";
/** Longest name of a model that is kept; the answering server says what it is. */
const nameLengthMax = 200;

/**
 * Sums of what was used, by model, while they are counted. They only grow, and a model that has a name of its own keeps
 * it. Those that come when the most are there are added up under `otherModels`.
 */
export class ModelUses {
  readonly #countMax: number;
  readonly #byModel = new Map<string, ModelUse>();

  /** @param countMax Most models that keep their names. */
  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** Adds what one call used. */
  add({ model, tokensIn, tokensOut, costUsd }: ModelUsage): void {
    const unpricedCalls = costUsd === null ? 1 : 0;
    this.addUse(model, { calls: 1, unpricedCalls, tokensIn, tokensOut, costUsd: costUsd ?? 0 });
  }

  /** Adds a sum. */
  addUse(model: string, use: ModelUse): void {
    const short = model.length > nameLengthMax ? `${model.slice(0, nameLengthMax - 1)}…` : model;
    const uses = this.#byModel;
    const name = uses.has(short) || uses.size < this.#countMax ? short : otherModels;
    const before = uses.get(name);
    uses.set(name, before === undefined ? use : sumOf(before, use));
  }

  /** @returns The sums as a plain value. */
  toValue(): UsesByModel {
    return Object.fromEntries(this.#byModel);
  }
}

function sumOf(one: ModelUse, other: ModelUse): ModelUse {
  return {
    calls: one.calls + other.calls,
    unpricedCalls: one.unpricedCalls + other.unpricedCalls,
    tokensIn: one.tokensIn + other.tokensIn,
    tokensOut: one.tokensOut + other.tokensOut,
    costUsd: one.costUsd + other.costUsd,
  };
}
