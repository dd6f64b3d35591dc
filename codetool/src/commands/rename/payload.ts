import type { EditedFiles, FilePlaces } from "../edit/index.ts";

/** A place that may mean the definition, and is left as it is. */
export interface UnresolvedPlace {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** A line that has the old name in a comment or a string, and is left as it is. */
export interface MentionedPlace {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly in: "comment" | "string";
}

/** Where a definition is; of a member with the type that has it. */
export interface DefinitionPlace {
  readonly file: string;
  readonly line: number;
  readonly type?: string;
}

/** What a rename changes and leaves. */
export interface FoundPlaces {
  readonly places: readonly FilePlaces[];
  readonly unresolved: readonly UnresolvedPlace[];
  readonly mentions: readonly MentionedPlace[];
  readonly members?: readonly DefinitionPlace[];
}

/** What `rename` answers with. */
export type RenamePayload = EditedFiles & {
  readonly definition: DefinitionPlace;
  /** Of a member: all its definitions, in each type that shares it. */
  readonly members?: readonly DefinitionPlace[];
  readonly unresolved: readonly UnresolvedPlace[];
  /** All of them, where `unresolved` has only the first. */
  readonly total_unresolved: number;
  /** Lines that have the old name in a comment or a string: first those of files that see the definition. */
  readonly mentions: readonly MentionedPlace[];
  /** All of them, where `mentions` has only the first. */
  readonly total_mentions: number;
};
