/** How a file changed. `untracked` is one that git does not know. */
export type FileStatus = "added" | "deleted" | "modified" | "renamed" | "copied" | "untracked";

/** A file as it was, or as it is. */
export interface FileSide {
  /** Relative to the root, as bytes: what the file system knows it by. */
  readonly pathBytes: Buffer;
  /** The same for people: what is not UTF-8 shows as U+FFFD. */
  readonly path: string;
  /** Octal, for example `"100644"`. */
  readonly mode: string;
  /** The blob; `undefined` for what is only in the working tree. */
  readonly blobId: string | undefined;
}

/** Neighbouring lines that were replaced by others: what is in one piece of a diff without context. */
export interface LineBlock {
  /** The first of the lines taken away, from 1; without any, the line before which others were put in. */
  readonly oldStart1: number;
  readonly newStart1: number;
  /** Without their line feeds; a carriage return stays. */
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** True when the last of `oldLines` is the end of its file and has no line feed. */
  readonly isOldUnended: boolean;
  readonly isNewUnended: boolean;
}

/** One file that changed. */
export interface ChangedFile {
  readonly status: FileStatus;
  /** Absent for a file that was not there. */
  readonly old?: FileSide;
  /** Absent for a file that is not there any more. */
  readonly new?: FileSide;
  /** In the order of the file; empty where content did not change, or is not text. */
  readonly blocks: readonly LineBlock[];
  readonly isBinary: boolean;
  /** True while a merge left it in conflict. */
  readonly isUnmerged: boolean;
  /** Why the content of an untracked file was left out. */
  readonly leftOut?: string;
}
