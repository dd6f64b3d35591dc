/**
 * Imports: from what files say they bring in to the files of the tree that are meant.
 *
 *   FileTree (paths, manifests) ─┐
 *                                ├─ ImportResolver ─ resolve(file, import) ─▶ ResolvedFile[] (file, confidence)
 *   ImportingFile[] ─────────────┘        │ implicit(file): its own package, without import
 *     (extractSource + definedNamesOf)    ▼
 *                                  buildImportGraph ─▶ ImportGraph: edges both ways, importance ─▶ dependentsOf
 *
 * An index stores a file's facts as bytes (`packImports`). When only contents changed, `updateImportGraph` gives the
 * same graph as a new build, without resolving the imports of unchanged files.
 *
 * Each family of languages has one resolver, which is made once for a tree. It follows the language's own rules first
 * (confidence 1), then common practice, then the only file with a fitting name. If several files are possible, it names
 * all of them, and they share the confidence. An import of something outside of the tree (packages, system headers)
 * gives nothing.
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
export {
  type CodeWords,
  codeWordsOf,
  type Confidence,
  definedNamesOf,
  filesOfDocuments,
  findDependents,
  type FindDependentsOptions,
  referenceTermOf,
  type SymbolDependent,
  type SymbolUses,
  symbolUsesOf,
  type VisibleNames,
} from "./uses/index.ts";
export {
  buildImportGraph,
  type Dependent,
  dependentsOf,
  type DependentsOptions,
  type GraphDirection,
  importerCountOf,
  type ImportGraph,
  packImports,
  unpackImports,
  updateImportGraph,
} from "./graph/index.ts";
export {
  type FileTree,
  type ImportingFile,
  isManifest,
  manifestLengthMax,
  type ResolvedFile,
} from "./tree/index.ts";
export { ImportResolver, languagesBeside } from "./resolver.ts";
