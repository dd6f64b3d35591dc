import { type AnswerSchema, count, flag, list, object, text } from "../answers/index.ts";
import type { MapPayload } from "./payload.ts";

/** The payload of `map`. */
export const mapAnswer: AnswerSchema<MapPayload> = object(
  {
    root: text,
    target: text,
    files: list(object({ path: text, symbols: list(text) })),
    stats: object({ files: count, symbols: count, shown: count }, { budget_used: count }),
    truncated: flag,
  },
  { focus: list(text) },
);
