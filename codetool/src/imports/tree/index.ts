/**
 * What resolvers share: the tree of files, look-ups by path, manifests, and the choice between files that an import may
 * mean.
 *
 * This folder must not know: any language.
 */
export { likely, merged, nearest, surely } from "./choose.ts";
export type { FileTree, ImportingFile, LanguageResolver, ResolvedFile } from "./file-tree.ts";
export { type JsonFields, objectIn, parseJsonObject, stringIn, stringsIn } from "./json-text.ts";
export { NamespaceIndex } from "./namespace-index.ts";
export { PathIndex } from "./path-index.ts";
export { readToml, type TomlTables } from "./read-toml.ts";
export {
  folderOf,
  inFolder,
  joinPath,
  nameOf,
  sharedDepth,
  stemOf,
  upwards,
} from "./relative-path.ts";
export {
  isManifest,
  manifestLengthMax,
  manifestsNamed,
  readManifest,
  type World,
} from "./world.ts";
