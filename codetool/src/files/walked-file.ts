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
  /** Language by file name, or `null` if the name does not show one. */
  readonly language: Language | null;
}
