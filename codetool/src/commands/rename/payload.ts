import type { EditedFiles } from "../edit/index.ts";

/** A place that may mean the definition, and is left as it is. */
export interface UnresolvedPlace {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** What `rename` answers with. */
export type RenamePayload = EditedFiles & {
  readonly definition: { readonly file: string; readonly line: number };
  readonly unresolved: readonly UnresolvedPlace[];
  /** All of them, where `unresolved` has only the first. */
  readonly total_unresolved: number;
};
