import type { EditedLines } from "../../edits/index.ts";

/** The result of an edit in one file: the payload of `edit` when one file is given. */
export type EditedFile = {
  readonly file: string;
  readonly dry_run: boolean;
  readonly applied: boolean;
  readonly changes: readonly EditedLines[];
  readonly total_replacements: number;
  readonly total_changes: number;
  /** `null` where it was not checked. */
  readonly syntax_valid: boolean | null;
  readonly syntax_error: string | null;
  readonly hash_before: string;
  readonly hash_after: string;
  readonly truncated?: true;
};

/** The payload of `edit` where several files are given: first the common result, then each file. */
export type EditedFiles = {
  readonly dry_run: boolean;
  readonly applied: boolean;
  readonly total_replacements: number;
  readonly total_changes: number;
  /** `null` where it was not checked. */
  readonly syntax_valid: boolean | null;
  readonly syntax_error: string | null;
  readonly files: readonly EditedFile[];
  readonly truncated?: true;
};

/** What `edit` answers with. */
export type EditPayload = EditedFile | EditedFiles;
