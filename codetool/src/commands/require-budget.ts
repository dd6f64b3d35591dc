import { errors } from "../envelope/index.ts";
import { loadTokenCounter } from "../text/index.ts";

/**
 * Refuses an answer that is larger than its budget: commands leave out what they can, and no less than that remains.
 *
 * @param data The payload, counted exactly.
 * @param budget Tokens; without a number every answer fits.
 * @throws budget_exceeded, with the tokens that the payload has.
 */
export async function requireBudget(data: object, budget: unknown): Promise<void> {
  if (typeof budget !== "number") return;
  const countTokens = await loadTokenCounter();
  const needed = countTokens(JSON.stringify(data));
  if (needed > budget) throw new errors.budget_exceeded({ budget, needed });
}
