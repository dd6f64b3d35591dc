import type { ModelPrice } from "../../core/index.ts";

/** Prices by model id or the beginning of one. */
export type ModelPrices = { readonly [model: string]: ModelPrice };

/** Tokens of one answer, as prices tell them apart. */
export interface TokenCounts {
  /** Input that was read from no cache. */
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

const row = (input: number, output: number, cachedInput?: number): ModelPrice => ({
  input,
  output,
  ...(cachedInput === undefined ? {} : { cachedInput }),
});

/**
 * List prices of November 2026: standard service, prompts of the shortest tier. Each row stands for the model of that
 * id and its dated snapshots, never for a later model whose id begins alike: that one has no price until it has a row.
 */
export const listPrices: ModelPrices = {
  "claude-3-haiku": row(0.25, 1.25, 0.025),
  "claude-3-opus": row(15, 75, 1.5),
  "claude-3-5-haiku": row(0.8, 4, 0.08),
  "claude-3-5-sonnet": row(3, 15, 0.3),
  "claude-3-7-sonnet": row(3, 15, 0.3),
  "claude-haiku-4-5": row(1, 5, 0.1),
  "claude-sonnet-4": row(3, 15, 0.3),
  "claude-sonnet-4-5": row(3, 15, 0.3),
  "claude-sonnet-4-6": row(3, 15, 0.3),
  "claude-sonnet-5": row(2, 10, 0.2),
  "claude-sonnet-5-5": row(2, 10, 0.2),
  "claude-opus-4": row(15, 75, 1.5),
  "claude-opus-4-1": row(15, 75, 1.5),
  "claude-opus-4-5": row(5, 25, 0.5),
  "claude-opus-4-6": row(5, 25, 0.5),
  "claude-opus-4-7": row(5, 25, 0.5),
  "claude-opus-4-8": row(5, 25, 0.5),
  "claude-opus-5": row(5, 25, 0.5),
  "claude-opus-5-5": row(4, 20, 0.2),
  "claude-fable-5": row(10, 50, 1),
  "claude-fable-5-1": row(10, 50, 0.25),
  "claude-mythos-5": row(10, 50, 1),
  "gpt-4o": row(2.5, 10, 1.25),
  "gpt-4o-mini": row(0.15, 0.6, 0.075),
  "gpt-4.1": row(2, 8, 0.5),
  "gpt-4.1-mini": row(0.4, 1.6, 0.1),
  "gpt-4.1-nano": row(0.1, 0.4, 0.025),
  "gpt-5": row(1.25, 10, 0.125),
  "gpt-5-mini": row(0.25, 2, 0.025),
  "gpt-5-nano": row(0.05, 0.4, 0.005),
  "gpt-5-pro": row(15, 120),
  "gpt-5.1": row(1.25, 10, 0.125),
  "gpt-5.2": row(1.75, 14, 0.175),
  "gpt-5.2-pro": row(21, 168),
  "gpt-5.4": row(2.5, 15, 0.25),
  "gpt-5.4-mini": row(0.75, 4.5, 0.075),
  "gpt-5.4-nano": row(0.2, 1.25, 0.02),
  "gpt-5.5": row(5, 30, 0.5),
  "gpt-5.5-pro": row(30, 180),
  o1: row(15, 60, 7.5),
  o3: row(2, 8, 0.5),
  "o3-mini": row(1.1, 4.4, 0.55),
  "o3-pro": row(20, 80),
  "o4-mini": row(1.1, 4.4, 0.275),
};

/** What follows a model's id in the name of one of its snapshots. */
const snapshotPattern = /^(?:[-@](?:latest|\d{8}|\d{4}-\d\d-\d\d))?$/;

/**
 * Finds the price of a model: the longest id of the user's prices that the model's id begins with, else the list price.
 *
 * @param model The model's id.
 * @param own The user's prices.
 * @returns The price, or `undefined` when none is known.
 */
export function priceOf(model: string, own: ModelPrices = {}): ModelPrice | undefined {
  const ownId = longest(Object.keys(own).filter((id) => model.startsWith(id)));
  if (ownId !== undefined) return own[ownId];
  const listId = longest(
    Object.keys(listPrices).filter(
      (id) => model.startsWith(id) && snapshotPattern.test(model.slice(id.length)),
    ),
  );
  return listId === undefined ? undefined : listPrices[listId];
}

/**
 * Says what an answer cost.
 *
 * @param price The model's price, if it is known.
 * @param tokens What the answer used.
 * @returns US dollars; null without a price.
 */
export function costUsd(price: ModelPrice | undefined, tokens: TokenCounts): number | null {
  if (price === undefined) return null;
  const { input, output, cachedInput = input } = price;
  return (
    (tokens.input * input + tokens.cachedInput * cachedInput + tokens.output * output) / 1_000_000
  );
}

function longest(ids: readonly string[]): string | undefined {
  return ids.reduce<string | undefined>(
    (best, id) => (best === undefined || id.length > best.length ? id : best),
    undefined,
  );
}
