/**
 * The envelope: the one shape of every answer.
 *
 *   { [id], version, command, status, [fallback], tokens, data | error, [warnings] }
 *
 * In: the outcome of a command, a payload or a `CommandError` of the table in `errors.ts`. Out: one line of JSON with
 * keys in a fixed order, so that the same outcome gives the same bytes.
 *
 * `tokens` counts the whole line, its own digits included: bytes / 4 as a rule, exactly while a budget is active.
 * The counter comes in as a parameter, so that nothing is loaded for answers that need none.
 *
 * `budget.ts` is the accounting of `--budget`: it keeps whole items, greedily, as long as the serialised `data`
 * stays within the budget. Commands give it their items and a function that makes the payload of the kept ones.
 *
 * It must not know any command, the command line, files, or where the line goes.
 */
export { fitBudget } from "./budget.ts";
export { CommandError } from "./define-errors.ts";
export {
  estimateTokens,
  renderEnvelope,
  renderWithEstimate,
  type CountTokens,
  type Outcome,
} from "./envelope.ts";
export { errors } from "./errors.ts";
export { version } from "../system/index.ts";
