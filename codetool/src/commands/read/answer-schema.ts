import {
  type AnswerSchema,
  count,
  either,
  exactly,
  linesSchema,
  list,
  nullable,
  object,
  text,
} from "../answers/index.ts";
import type { ReadPayload } from "./payload.ts";

/** The payload of `read`. */
export const readAnswer: AnswerSchema<ReadPayload> = either(
  object(
    {
      root: text,
      file: text,
      meta: object({
        language: nullable(text),
        lines: count,
        bytes: count,
        modified: count,
        hash: text,
      }),
      content: nullable(
        object({
          range: linesSchema,
          snap: nullable(text),
          snap_reason: nullable(text),
          text,
          tokens: count,
        }),
      ),
      outline: nullable(
        list(object({ name: text, kind: text, lines: linesSchema, signature: text })),
      ),
    },
    { truncated: exactly(true) },
  ),
  object({ cached: exactly(true), meta: object({ hash: text }) }),
);
