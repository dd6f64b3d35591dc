import {
  type AnswerSchema,
  count,
  flag,
  list,
  nullable,
  object,
  oneOf,
  record,
  text,
} from "../answers/index.ts";
import type { ContextPayload } from "./payload.ts";

const edges = list(object({ file: text, symbols: list(text) }));

/** The payload of `context`. */
export const contextAnswer: AnswerSchema<ContextPayload> = object(
  {
    root: text,
    target: text,
    kind: oneOf("file", "directory"),
    stats: object(
      { files: count, lines: count, symbols: count, languages: record(count) },
      { budget_used: count },
    ),
    entrypoints: list(
      object({
        name: text,
        kind: text,
        file: text,
        line: count,
        signature: text,
        ref_count: count,
      }),
    ),
    files: list(
      object({ path: text, lines: count, language: nullable(text), skeleton: list(text) }),
    ),
    truncated: flag,
  },
  {
    doc: object({ source: text, text, tokens: count, truncated: flag }),
    edges: object({ imports_in: edges, imports_out: edges }),
  },
);
