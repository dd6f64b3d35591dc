/**
 * The command `stats`: how many calls were answered, and how many tokens they saved against the Unix way.
 *
 *   `stats.jsonl` ─ usage/ ─▶ rows ─▶ sums by time and by command ─▶ payload
 *
 * It must not know: how calls are recorded.
 */
export { statsCommand } from "./command.ts";
