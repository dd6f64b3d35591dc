import type { FileStamp } from "./file-stamp.ts";

/** The languages codetool knows by name; parsing is offered for some of them (`syntax/`). */
export type Language = string;

/** A file that a walk found, before its content is read. Paths use forward slashes. */
export interface WalkedFile {
  /** Absolute path. */
  readonly absolutePath: string;
  /** Path relative to the walk's root. */
  readonly relativePath: string;
  readonly sizeBytes: number;
  /** Modification time, milliseconds since the Unix epoch. */
  readonly modifiedMs: number;
  /** See `FileStamp`; absent where an index named the file, and nobody looked at it since. */
  readonly changedMs?: number;
  readonly inode?: number;
  /** Language by file name, or `null` if the name does not show one. */
  readonly language: Language | null;
}

/** A file as a walk saw it just now. */
export interface SeenFile extends WalkedFile, FileStamp {
  readonly changedMs: number;
  readonly inode: number;
  /** How many names it has: a file with several may be written by one that is not in the tree. */
  readonly linkCount: number;
}
