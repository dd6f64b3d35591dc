import { type AnswerSchema, flag, object, oneOf, text } from "../answers/index.ts";
import type { ExistsPayload } from "./payload.ts";

/** The payload of `exists`. */
export const existsAnswer: AnswerSchema<ExistsPayload> = object({
  exists: flag,
  confidence: oneOf("exact", "probable"),
  pattern: text,
});
