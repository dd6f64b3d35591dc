/**
 * What codetool remembers of its own use, in files of its user:
 *
 *     a command that failed inside ──▶ another program's answer ──▶ a line in `~/.codetool/errors.jsonl`
 *
 * The lines are for whoever mends codetool: which command failed, on what, and what was said instead. Files are their
 * owner's alone and grow to a named size. Nothing is sent anywhere.
 *
 * Who writes a line decides whether a failure to write it matters; to an answer it does not.
 *
 * This folder must not know: commands, the envelope, how an answer is made.
 */
export {
  appendFallback,
  fallbackLogPath,
  type FallbackRecord,
} from "../commands/fallback/fallback-log.ts";
