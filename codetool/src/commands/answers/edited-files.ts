import { count, exactly, flag, list, nullable, object, text } from "./answer-schema.ts";

const resultFields = {
  dry_run: flag,
  applied: flag,
  total_replacements: count,
  total_changes: count,
  syntax_valid: nullable(flag),
  syntax_error: nullable(text),
};

/** The fields of what an edit did to one file. */
export const editedFileFields = {
  file: text,
  ...resultFields,
  changes: list(object({ line: count, function: nullable(text), before: text, after: text })),
  hash_before: text,
  hash_after: text,
};

/** The fields of an edit of several files. */
export const editedFilesFields = {
  root: nullable(text),
  ...resultFields,
  files: list(object(editedFileFields)),
};

/** The fields of an edit that a budget may add. */
export const cutFields = { truncated: exactly(true) };
