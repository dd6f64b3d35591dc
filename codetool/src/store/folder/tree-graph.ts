import { readFileBytes } from "../../files/index.ts";
import {
  buildImportGraph,
  type FileTree,
  type ImportGraph,
  type ImportingFile,
  ImportResolver,
  isManifest,
  manifestLengthMax,
  updateImportGraph,
} from "../../imports/index.ts";

/** A tree with what its import graph is made from: files in the byte order of their paths, each with what it imports and defines. */
export interface GraphedTree {
  readonly files: readonly ImportingFile[];
  /** Absolute path of a file. */
  readonly absolutePathOf: (path: string) => string;
}

/** Which files of a tree import which: resolved again. */
export function graphOfTree(tree: GraphedTree): ImportGraph {
  return buildImportGraph(fileTreeOf(tree), tree.files);
}

/** Says which files of a tree single imports of its files mean. */
export function resolverOfTree(tree: GraphedTree): ImportResolver {
  return new ImportResolver(fileTreeOf(tree), tree.files);
}

/**
 * The import graph of a tree, updated from the graph before. The result is the same as that of `graphOfTree`. All imports
 * are resolved again if files were added or removed, or a manifest changed.
 *
 * @param known.files As they were.
 * @param known.graph Of these; asked for only where it helps.
 * @param changedPaths Files of other content than before.
 */
export function graphOfChangedTree(
  tree: GraphedTree,
  known: { readonly files: readonly ImportingFile[]; readonly graph: () => ImportGraph },
  changedPaths: ReadonlySet<string>,
): ImportGraph {
  const isSameList =
    known.files.length === tree.files.length &&
    tree.files.every(({ path }, index) => known.files[index]?.path === path);
  if (!isSameList || [...changedPaths].some(isManifest)) return graphOfTree(tree);
  if (changedPaths.size === 0) return known.graph();
  const before: ImportingFile[] = [];
  const after: ImportingFile[] = [];
  for (const [index, file] of tree.files.entries()) {
    if (!changedPaths.has(file.path)) continue;
    before.push(known.files[index] as ImportingFile);
    after.push(file);
  }
  const now = { tree: fileTreeOf(tree), files: tree.files };
  return updateImportGraph(known.graph(), now, { before, after });
}

function fileTreeOf({ files, absolutePathOf }: GraphedTree): FileTree {
  return {
    paths: files.map(({ path }) => path),
    readText: (path) => {
      const read = readFileBytes(absolutePathOf(path), { sizeBytesMax: manifestLengthMax });
      return read.kind === "file" ? read.bytes.toString("utf8") : undefined;
    },
  };
}
