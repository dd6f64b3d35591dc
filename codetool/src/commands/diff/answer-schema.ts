import {
  type AnswerSchema,
  count,
  exactly,
  linesSchema,
  list,
  nullable,
  object,
  oneOf,
  record,
  text,
} from "../answers/index.ts";
import type { DiffPayload, HunkEntry } from "./payload.ts";

const hunk: AnswerSchema<HunkEntry> = object(
  {
    file: text,
    function: nullable(text),
    old_range: linesSchema,
    new_range: linesSchema,
    changes: list(
      object({
        type: oneOf("addition", "deletion", "modification"),
        old: nullable(text),
        new: nullable(text),
      }),
    ),
  },
  { old_without_newline: exactly(true), new_without_newline: exactly(true) },
);

/** The payload of `diff`. */
export const diffAnswer: AnswerSchema<DiffPayload> = object(
  {
    root: text,
    summary: text,
    stats: object(
      {
        additions: count,
        deletions: count,
        files_changed: count,
        functions_changed: list(text),
      },
      { functions_total: count },
    ),
    semantic_notes: list(text),
    hunks: nullable(list(hunk)),
  },
  {
    files: record(text),
    functions: list(
      object({
        file: text,
        function: text,
        change: oneOf(
          "signature",
          "body",
          "signature and body",
          "definition",
          "comments",
          "formatting",
          "added",
          "removed",
          "renamed",
          "moved",
          "lines",
        ),
        lines: linesSchema,
        additions: count,
        deletions: count,
      }),
    ),
    truncated: exactly(true),
  },
);
