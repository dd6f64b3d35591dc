import { z } from "zod";
import type { Budget, BudgetOptions } from "../../core/index.ts";
import { mapping, oneOf, wholeNumber } from "./fields.ts";

const usdWanted = "a number of US dollars of 0 or more";
const tokenCountMax = Number.MAX_SAFE_INTEGER;

/**
 * What model calls may cost.
 *
 * @param periods What it may be for; the first is the default.
 */
export function budgetField<const Periods extends readonly ["run", ...("hour" | "key")[]]>(
  periods: Periods,
) {
  return mapping({
    usd: z.number({ error: usdWanted }).min(0, { error: usdWanted }).optional(),
    tokens: wholeNumber({ min: 0, max: tokenCountMax }).optional(),
    per: oneOf<Periods>(periods).default("run"),
  }).superRefine(({ usd, tokens }, context) => {
    if (usd !== undefined || tokens !== undefined) return;
    const message = "an amount of US dollars, unless there are tokens";
    context.addIssue({ code: "custom", path: ["usd"], message });
  });
}

/**
 * Says what the keys of a budget are for.
 *
 * @param path Of the budget.
 */
export function budgetKeysAt(path: string): { readonly [path: string]: string } {
  return Object.fromEntries(
    Object.entries(budgetKeys).map(([key, description]) => [`${path}${key}`, description]),
  );
}

const budgetKeys: { readonly [key: string]: string } = {
  "": "What model calls may cost here and below: usd, tokens or both.",
  ".usd": "US dollars. Models without a known price are refused then.",
  ".tokens": "Tokens of requests and answers together.",
  ".per":
    "What it is for: all that is spent until it is reset (run), each full hour (hour); of a keyed agent also each key (key).",
};

/**
 * Writes a budget in few words: `5 USD · 20000 tokens per hour`.
 *
 * @param budget The budget.
 */
export function budgetText({ usd, tokens, per = "run" }: Budget | BudgetOptions): string {
  const parts = [
    usd === undefined ? [] : [`${usd} USD`],
    tokens === undefined ? [] : [`${tokens} tokens`],
  ];
  return `${parts.flat().join(" · ")} per ${per}`;
}
