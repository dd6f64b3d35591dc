import {
  type AnswerSchema,
  count,
  exactly,
  list,
  nullable,
  object,
  text,
} from "../answers/index.ts";
import type { RunProgramPayload } from "./payload.ts";

const findingFields = { name: text, location: nullable(text), message: text };

/** The payload of `run`. */
export const runProgramAnswer: AnswerSchema<RunProgramPayload> = object(
  {
    exit_code: count,
    duration_ms: count,
    tool: text,
    summary: text,
    passed: count,
    failed: count,
    skipped: count,
    failures: list(
      object(findingFields, { origin: text, twins: list(object({ name: text, differs: text })) }),
    ),
    warnings: list(object(findingFields, { origin: text })),
    output_lines: count,
    output_tokens_saved: count,
  },
  {
    signal: text,
    timed_out: exactly(true),
    tail: text,
    raw: text,
    source: exactly("captured output"),
    truncated: exactly(true),
  },
);
