import { type AnswerSchema, count, flag, list, number, object, text } from "../answers/index.ts";
import type { BenchPayload } from "./payload.ts";

/** The payload of `bench`. */
export const benchAnswer: AnswerSchema<BenchPayload> = object({
  root: text,
  path: text,
  files: count,
  has_index: flag,
  tasks: list(
    object({
      name: text,
      query: text,
      codetool_command: text,
      baseline_command: text,
      codetool_tokens: count,
      baseline_tokens: count,
      savings_pct: number,
      codetool_ms: number,
      baseline_ms: number,
    }),
  ),
  summary: object({
    total_tasks: count,
    total_codetool_tokens: count,
    total_baseline_tokens: count,
    savings_pct: number,
    avg_savings_pct: number,
    codetool_total_ms: number,
    baseline_total_ms: number,
  }),
  left_out: list(object({ name: text, reason: text })),
});
