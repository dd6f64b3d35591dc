import {
  type AnswerSchema,
  count,
  cutFields,
  editedFilesFields,
  list,
  object,
  oneOf,
  text,
} from "../answers/index.ts";
import type { RenamePayload } from "./payload.ts";

const definition = object({ file: text, line: count }, { type: text });
const place = { file: text, line: count, text };

/** The payload of `rename`. */
export const renameAnswer: AnswerSchema<RenamePayload> = object(
  {
    ...editedFilesFields,
    definition,
    unresolved: list(object({ ...place, reason: text })),
    total_unresolved: count,
    mentions: list(object({ ...place, in: oneOf("comment", "string") })),
    total_mentions: count,
  },
  { members: list(definition), ...cutFields },
);
