import {
  type AnswerSchema,
  count,
  either,
  flag,
  linesSchema,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
} from "../answers/index.ts";
import type { SearchPayload } from "./payload.ts";

const whySchema = object(
  {
    evidence: list(object({ what: text, value: number, points: number })),
    next: nullable(
      object(
        {
          line: count,
          name: nullable(text),
          points_behind: number,
          lacks: list(object({ what: text, value: number, value_here: number, points: number })),
        },
        { words: list(text) },
      ),
    ),
  },
  { words: list(text) },
);

const matchSchema = object(
  {
    file: text,
    line: count,
    column: count,
    match: text,
    context_type: nullable(text),
    context_name: nullable(text),
    context_signature: nullable(text),
    snippet: text,
    relevance: number,
    language: nullable(text),
  },
  {
    snippet_lines: linesSchema,
    hash: text,
    captures: list(object({ name: text, text, lines: nullable(linesSchema) })),
    features: list(object({ feature: text, value: number, weight: number })),
    why: whySchema,
  },
);

/** The payload of `search`. */
export const searchAnswer: AnswerSchema<SearchPayload> = either(
  object({
    root: nullable(text),
    matches: list(matchSchema),
    total_matches: count,
    returned: count,
    budget_used: count,
    truncated: flag,
    continuation_token: nullable(text),
    mode: oneOf("literal", "bm25", "hybrid", "semantic", "structural"),
  }),
  object({ exists: flag, confidence: oneOf("exact", "probable") }),
);
