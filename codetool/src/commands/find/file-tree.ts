/** What the tree says about a file. */
export interface TreeLeaf {
  /** `null` when only names are asked for. */
  readonly lines: number | null;
  readonly symbols: number | null;
  readonly language: string | null;
  /** Why the content is not looked into; absent where it is. */
  readonly unsearched?: string;
}

/** A folder of the tree: names of folders end with a slash, others are files. */
export interface FolderTree {
  [name: string]: FolderTree | TreeLeaf;
}

/** A folder that is named and not entered: its path ends with a slash. */
export interface ClosedFolder {
  readonly path: string;
}

/** What is in a tree. */
export type TreeEntry = (TreeLeaf & { readonly path: string }) | ClosedFolder;

/**
 * Nests files by their folders. Keys joined give the path back: `{"src/":{"a.ts":{…}}}`.
 *
 * @param folder The folder that was listed, as its files' paths begin; it is one key, however deep it is. Empty
 * for the root.
 */
export function buildFileTree(files: readonly TreeEntry[], folder: string): FolderTree {
  const root = emptyTree();
  const listed = folder === "" ? root : emptyTree();
  if (folder !== "") root[folder] = listed;
  for (const entry of files) {
    const { path } = entry;
    const parts = path.slice(folder.length).split("/");
    const name = parts.pop() ?? "";
    let tree = listed;
    for (const part of parts) {
      const key = `${part}/`;
      const below = (tree[key] ?? emptyTree()) as FolderTree;
      tree[key] = below;
      tree = below;
    }
    if (!("lines" in entry)) continue;
    tree[name] = leafOf(entry);
  }
  return root;
}

/** What the tree says about a file, out of what is known of it. */
export function leafOf({ lines, symbols, language, unsearched }: TreeLeaf): TreeLeaf {
  return { lines, symbols, language, ...(unsearched === undefined ? {} : { unsearched }) };
}

/** Without a prototype, so that a file may have any name. */
function emptyTree(): FolderTree {
  return Object.create(null) as FolderTree;
}
