/** What was done with a file. */
export type FileAction = "created" | "changed" | "unchanged" | "removed";

/** One file of a framework. */
export interface InitFile {
  /** Absolute; below the working directory relative to it. */
  readonly path: string;
  /** `removed` where the file itself is gone, because `init` had made it. */
  readonly action: FileAction;
  /** Where the content before the first change is kept, absolute; absent where nothing is kept. */
  readonly backup?: string;
  /** With `--dry-run`: the change as a unified diff. */
  readonly diff?: string;
}

/** What was done for one framework; `agents-md` is the instruction files of the working directory, `serve` what starts the service. */
export interface InitFramework {
  readonly framework: string;
  readonly files: readonly InitFile[];
  /** Why nothing of it was touched, one line. */
  readonly error?: string;
}

/** One name for the program. */
export interface InitLink {
  /** As `InitFile.path`. */
  readonly path: string;
  readonly action: FileAction;
  /** What the name is: another name of the same file, a link to it, or a copy where neither can be made. */
  readonly kind: "hard" | "symbolic" | "copy";
}

/** The payload of `init`. */
export type InitPayload = {
  readonly dry_run: boolean;
  /** True when files were written, or would have been, had they not been right already. */
  readonly applied: boolean;
  readonly frameworks: readonly InitFramework[];
  /** With `--links`. */
  readonly links?: readonly InitLink[];
};
