import { type AnswerSchema, count, exactly, flag, list, object, text } from "../answers/index.ts";
import type { ImpactPayload } from "./payload.ts";

const dependent = object(
  { file: text, hops: count, symbols_used: list(text), confidence: text },
  {
    uses: list(object({ line: count, text })),
    more_uses: count,
    is_test: exactly(true),
    via: text,
  },
);

/** The payload of `impact`. */
export const impactAnswer: AnswerSchema<ImpactPayload> = object(
  {
    root: text,
    target: text,
    exports: list(text),
    dependents: list(dependent),
    stats: object({ direct: count, transitive: count, test_files: count }, { budget_used: count }),
  },
  { symbol: text, truncated: flag },
);
