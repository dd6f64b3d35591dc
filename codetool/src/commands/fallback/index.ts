/**
 * The fallback: another program answers for a command that failed internally.
 *
 *     a command that failed inside ──▶ its Unix equivalent's output ──▶ a line in `~/.codetool/errors.jsonl`
 *
 * The lines are for those who maintain codetool: which command failed, on what input, and what answered instead. The
 * file is readable only by its owner and grows to a named size. Nothing is sent anywhere. A failure to write the log
 * does not matter to an answer.
 *
 * It must not know how a command makes its answer.
 */
export { fallBack, logFallback } from "./fall-back.ts";
export {
  diffEquivalent,
  existsEquivalent,
  findEquivalent,
  outlineEquivalent,
  readEquivalent,
  searchEquivalent,
} from "./unix-equivalents.ts";
