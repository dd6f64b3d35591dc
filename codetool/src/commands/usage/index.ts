/**
 * The usage log: one line for each call that was answered, and what it saved against the Unix way.
 *
 *   Outcome ─ countAnswer ─▶ a line in `stats.jsonl` ─ past 256 KiB ─▶ foldUsage ─▶ `stats.jsonl.d/totals.json`
 *                                    └────────────── readUsage ◀──────────────────────────┘
 *
 * A line is appended in one write, so that processes do not have to wait for each other and none loses a line. Lines are
 * folded into totals by one process at a time: it renames the log, reads it, and keeps it until the next time, because
 * another process may have opened it before and writes after. How far it was read is in the totals.
 *
 * Where nothing can be written, nothing is recorded, and no answer is the worse for it. Nothing is sent anywhere.
 *
 * It must not know: what a command does, how figures are shown.
 */
export { countAnswer } from "./count-answer.ts";
export { readUsage, resetUsage } from "./read-usage.ts";
export type { UsageRow } from "./usage-row.ts";
export { usageFile } from "./usage-file.ts";
