/**
 * Imports: from the import statements of files to the files of the tree that they mean.
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
 * The terms of an index say in which documents a name occurs; `filesOfDocuments` turns these into files.
 *
 * If a language imports a whole package or namespace, the files meant are those that define a name which the importing
 * file uses: hashes of both are compared, no text is read again. Files of one package that need no import for each other
 * are found in the same way.
 *
 * `symbolUsesOf` finds what a dependent uses of a file: from its imports if they give names; if a whole module is
 * imported, or no import is needed, the names are searched for as words of its code. `findDependents` follows this hop by
 * hop, also through files that re-export what they import.
 *
 * Everything here is a pure function of its input: the same files give the same answer in whatever order they come,
 * paths never leave the tree, and broken manifests are ignored. Tables by path, folder and ending are built once, so that
 * no import needs a search over all files.
 *
 * This folder must not know: the file system (manifests come through `FileTree`), how imports are parsed, indexes,
 * commands.
 */
export {
  type CodeWord,
  type CodeWords,
  codeWordsOf,
  type Confidence,
  definedNamesOf,
  filesOfDocuments,
  linesWithName,
  findDependents,
  findUsers,
  offersOn,
  readCodeWords,
  type SymbolUser,
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
  importanceFor,
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
