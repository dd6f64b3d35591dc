import type { FolderTree, TreeLeaf } from "./file-tree.ts";
import type { InspectedFile } from "./inspect-file.ts";

/** One file of the list. */
export interface FoundFile extends InspectedFile {
  readonly path: string;
  /** 0 to 1; `null` without a query to be related to. */
  readonly relevance: number | null;
  /** Seconds since 1970, with `--changed-since`. */
  readonly modified?: number;
}

/** The payload of `find`. */
export type FoundFiles = {
  readonly root: string;
  readonly tree: FolderTree | null;
  readonly flat: readonly FoundFile[] | null;
  readonly stats: {
    readonly total_files: number;
    readonly returned: number;
    readonly budget_used: number;
  };
  readonly truncated?: true;
};

/** The input of plain text without a budget: the tree or the list, never both, and no count. */
export type PlainView = {
  readonly tree: FolderTree | null;
  readonly flat: readonly ListedEntry[] | null;
};

/** A file of which possibly only the name is known. */
export type ListedEntry = TreeLeaf & { readonly path: string; readonly relevance?: number | null };

/** What `find` answers with. */
export type FindPayload = FoundFiles | PlainView;
