import {
  type AnswerSchema,
  count,
  either,
  exactly,
  object,
  record,
  text,
} from "../answers/index.ts";
import type { IndexPayload } from "./payload.ts";

/** The payload of `index`. */
export const indexAnswer: AnswerSchema<IndexPayload> = either(
  object(
    {
      path: text,
      generation: count,
      files_indexed: count,
      files_changed: count,
      files_unchanged: count,
      files_removed: count,
      chunks: count,
      duration_ms: count,
      languages: record(count),
    },
    { folders_watched: count },
  ),
  object({
    path: text,
    index_exists: exactly(true),
    generation: count,
    timestamp: text,
    files: count,
    chunks: count,
    symbols: count,
    terms: count,
    segments: count,
    size_bytes: count,
    chunk_size: count,
    languages: record(count),
  }),
);
