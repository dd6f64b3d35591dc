import type { FileImports } from "../../syntax/index.ts";

/** The files among which imports are resolved. */
export interface FileTree {
  /** Paths relative to the tree's root, forward slashes, each once. A file's number is its place in this list. */
  readonly paths: readonly string[];
  /** Reads a manifest (`package.json`, `go.mod`, …); `undefined` when it cannot be read. Called once a path. */
  readText(path: string): string | undefined;
}

/** What resolution needs to know of a file: where it is, what it imports, what it defines. */
export interface ImportingFile extends FileImports {
  /** As in `FileTree.paths`. */
  readonly path: string;
  /** The language's name as file detection gives it; `null` when unknown. */
  readonly language: string | null;
  /** What others can name in it: definitions at file level, see `definedNamesOf`. */
  readonly definedNames: readonly string[];
}

/** A file that an import may mean. */
export interface ResolvedFile {
  /** Number of the file: its place in `FileTree.paths`. */
  readonly file: number;
  /**
   * How sure it is, above 0 to 1: 1 by the language's own rules, about 0.8 by convention or the only one of that name,
   * 0.5 and less where several could be meant.
   */
  readonly confidence: number;
}

/** Resolves the imports of one family of languages. */
export interface LanguageResolver {
  /** The files an import means, most likely first; none when it means nothing in the tree. */
  resolve(
    from: ImportingFile,
    reference: ImportingFile["imports"][number],
  ): readonly ResolvedFile[];
  /** Files whose definitions a file uses without importing them: its own package or namespace. */
  implicit?(from: ImportingFile): readonly ResolvedFile[];
}
