/** How a file changed. `untracked` means that git does not know the file. */
export type FileStatus = "added" | "deleted" | "modified" | "renamed" | "copied" | "untracked";

/** A file as it was, or as it is. */
export interface FileSide {
  /** Path relative to the root, as the bytes that the file system uses. */
  readonly pathBytes: Buffer;
  /** The same for people: what is not UTF-8 shows as U+FFFD. */
  readonly path: string;
  /** Octal, for example `"100644"`. */
  readonly mode: string;
  /** The id of the blob; `undefined` for a file that is only in the working tree. */
  readonly blobId: string | undefined;
}

/** Neighbouring lines that were replaced by others: one hunk of a diff without context. */
export interface LineBlock {
  /** The first removed line, from 1; if none was removed, the line before which lines were inserted. */
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
  /** Absent for a file that did not exist before. */
  readonly old?: FileSide;
  /** Absent for a file that does not exist any more. */
  readonly new?: FileSide;
  /** In the order of the file; empty if the content did not change or is not text. */
  readonly blocks: readonly LineBlock[];
  readonly isBinary: boolean;
  /** True while it has a merge conflict. */
  readonly isUnmerged: boolean;
  /** Why the content of an untracked file was left out. */
  readonly leftOut?: string;
}
