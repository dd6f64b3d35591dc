import {
  type AnswerSchema,
  count,
  exactly,
  flag,
  linesSchema,
  list,
  object,
  text,
} from "../answers/index.ts";
import type { ExplainPayload } from "./payload.ts";

const usePlace = object(
  { file: text, line: count, text, confidence: text },
  { in: text, more_lines: list(count), via: text },
);
const place = { name: text, kind: text, file: text };

/** The payload of `explain`. */
export const explainAnswer: AnswerSchema<ExplainPayload> = object(
  {
    root: text,
    symbol: text,
    definition: object(
      { ...place, lines: linesSchema, signature: text, exported: flag },
      { doc: text, doc_truncated: exactly(true), code: text },
    ),
    callers: list(usePlace),
    tests: list(usePlace),
    callees: list(object({ ...place, line: count, signature: text, confidence: text })),
    changes: list(object({ commit: text, date: text, author: text, subject: text })),
    others: list(object({ ...place, line: count })),
    stats: object(
      { callers: count, caller_files: count, tests: count, callees: count, others: count },
      { budget_used: count },
    ),
    truncated: flag,
  },
  { uncommitted: exactly(true) },
);
