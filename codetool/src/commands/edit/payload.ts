import type { EditedLines } from "../../edits/index.ts";

/** The result of an edit in one file. */
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
};

/** The payload of `edit` where one file is given. */
export type OnlyEditedFile = EditedFile & { readonly root: string; readonly truncated?: true };

/** The payload of `edit` where several files are given: first the common result, then each file. */
export type EditedFiles = {
  /** `null` where the files are of several trees. */
  readonly root: string | null;
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
export type EditPayload = OnlyEditedFile | EditedFiles;
