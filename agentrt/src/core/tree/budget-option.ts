import { optionErrors } from "../errors.ts";
import type { Budget, BudgetOptions, BudgetPeriod } from "../llm/index.ts";
import { checkOptions, describeValue, type OptionNames } from "./check-options.ts";

const budgetOptionNames: OptionNames<BudgetOptions> = { usd: true, tokens: true, per: true };

/**
 * Checks the budget of a node and fills in its default.
 *
 * @param owner What has it, for example `agent "clerk"`.
 * @param given What the program gave.
 * @param periods What it may be for.
 * @returns The budget; undefined without one.
 * @throws AGENTRT_OPTION_UNKNOWN, AGENTRT_OPTION_WRONG.
 */
export function readBudget(
  owner: string,
  given: BudgetOptions | undefined,
  periods: readonly BudgetPeriod[] = ["run", "hour"],
): Budget | undefined {
  if (given === undefined) return undefined;
  checkOptions(`the budget of ${owner}`, given, budgetOptionNames);
  const { usd, tokens, per = "run" } = given;
  const refuse = (option: string, found: unknown, wanted: string): never => {
    throw new optionErrors.WRONG({ owner, option, found: describeValue(found), wanted });
  };
  if (usd === undefined && tokens === undefined) refuse("budget", given, "usd, tokens or both");
  if (usd !== undefined && !(Number.isFinite(usd) && usd >= 0))
    refuse("budget.usd", usd, "a number of 0 or more");
  if (tokens !== undefined && !(Number.isSafeInteger(tokens) && tokens >= 0))
    refuse("budget.tokens", tokens, "a whole number of 0 or more");
  if (!periods.includes(per)) refuse("budget.per", per, `one of ${periods.join(", ")}`);
  return { usd, tokens, per };
}
