import {
  type AnswerSchema,
  count,
  flag,
  linesSchema,
  list,
  nullable,
  object,
  reference,
  text,
  withDefinitions,
} from "../answers/index.ts";
import type { OutlineEntry, OutlinePayload } from "./payload.ts";

const symbols = list(reference<OutlineEntry>("symbol"));
const symbol: AnswerSchema<OutlineEntry> = object(
  { name: text, kind: text, lines: linesSchema, signature: text, children: symbols },
  { container: text, file: text, line: count, exported: flag },
);

/** The payload of `outline`. */
export const outlineAnswer: AnswerSchema<OutlinePayload> = withDefinitions(
  object(
    { root: text, file: text, language: nullable(text), symbols },
    { total_symbols: count, returned: count, truncated: flag },
  ),
  { symbol },
);
