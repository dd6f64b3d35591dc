/**
 * Imports: from what files say they bring in to the files of the tree that are meant.
 *
 *   FileTree (paths, manifests) ─┐
 *                                ├─ ImportResolver ─ resolve(file, import) ─▶ ResolvedFile[] (file, confidence)
 *   ImportingFile[] ─────────────┘        │ implicit(file): its own package, without import
 *     (extractSource + definedNamesOf)    ▼
 *                                  buildImportGraph ─▶ ImportGraph: edges both ways, importance ─▶ dependentsOf
 *
 * For an index a file's facts are bytes (`packImports`), and after a change of content alone `updateImportGraph` gives
 * the same graph without resolving what did not change.
 *
 * A family of languages is one resolver (`*-resolver.ts`), made for a tree and kept while it is asked. It goes by the
 * language's own rules first (confidence 1), then by what is usual, then by the only file of a fitting name; where
 * several could be meant it names them all and lets them share the confidence. What is not in the tree (packages,
 * system headers) gives nothing.
 *
 * Where the terms of an index say in which documents a name occurs, `filesOfDocuments` says in which files.
 *
 * Where a language imports a whole package or namespace, the files meant are those that define a name which the
 * importing file uses: hashes of both are met, no text is read again. Files of one package that need no import for
 * each other are found in the same way.
 *
 * What a dependent takes from a file is read from its imports where these name it (`symbolUsesOf`); where a whole module
 * is brought in, or none need be, the names are looked for as words of its code. `findDependents` follows that hop by
 * hop, over files that offer on what they import.
 *
 * Everything here is a pure function of its input: the same files give the same answer in whatever order they come,
 * paths never leave the tree, broken manifests say nothing. Tables by path, folder and ending are built once; no
 * import goes over all files.
 *
 * This folder must not know: the file system (manifests come through `FileTree`), how imports are parsed, indexes,
 * commands.
 */
export { codeWordsOf, type CodeWords } from "./uses/code-words.ts";
export { definedNamesOf } from "./uses/defined-names.ts";
export { type Dependent, dependentsOf, type DependentsOptions } from "./graph/dependents.ts";
export {
  type Confidence,
  findDependents,
  type FindDependentsOptions,
  type SymbolDependent,
} from "./uses/find-dependents.ts";
export type { FileTree, ImportingFile, ResolvedFile } from "./tree/file-tree.ts";
export {
  buildImportGraph,
  type GraphDirection,
  importerCountOf,
  type ImportGraph,
  updateImportGraph,
} from "./graph/graph.ts";
export { packImports, unpackImports } from "./graph/records.ts";
export { ImportResolver, languagesBeside } from "./resolver.ts";
export { isManifest, manifestLengthMax } from "./tree/world.ts";
export { filesOfDocuments, referenceTermOf } from "./uses/term-files.ts";
export { type SymbolUses, symbolUsesOf, type VisibleNames } from "./uses/symbol-uses.ts";
