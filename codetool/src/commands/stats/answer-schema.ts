import {
  type AnswerSchema,
  count,
  either,
  exactly,
  list,
  number,
  object,
  oneOf,
  record,
} from "../answers/index.ts";
import type { StatsPayload } from "./payload.ts";

/** The payload of `stats`. */
export const statsAnswer: AnswerSchema<StatsPayload> = either(
  object({
    periods: list(
      object({
        label: oneOf("last_hour", "last_24h", "all_time"),
        calls: count,
        tokens_saved: number,
        savings_percent: number,
      }),
    ),
    total_calls: count,
    total_tokens_saved: number,
    by_command: record(
      object(
        { calls: count, savings_pct: number },
        { tokens: count, baseline_tokens: count, tokens_saved: number, mean_ms: number },
      ),
    ),
  }),
  object({ reset: exactly(true) }),
);
