import type { ImportReference } from "../syntax/index.ts";
import { families } from "./resolvers/index.ts";
import {
  type FileTree,
  type ImportingFile,
  type LanguageResolver,
  PathIndex,
  type ResolvedFile,
} from "./tree/index.ts";

/**
 * The languages whose files can use each other's definitions, including the given one.
 *
 * @returns Only the given language, if its imports are not known here.
 */
export function languagesBeside(language: string): readonly string[] {
  return families.find(({ languages }) => languages.includes(language))?.languages ?? [language];
}

/**
 * Says which files of a tree the imports of its files mean. The tables of a family of languages are made when one of
 * its files is first asked about, and only then are the files of that family looked at.
 */
export class ImportResolver {
  readonly #resolvers = new Map<string, LanguageResolver>();
  readonly #tree: FileTree;
  readonly #paths: PathIndex;
  readonly #files: readonly ImportingFile[];

  /**
   * @param tree Paths and manifests. Their order does not matter.
   * @param files What is known of the files; one that is not in the tree is left out, one that is missing here is
   *   found only by its path.
   */
  constructor(tree: FileTree, files: readonly ImportingFile[]) {
    this.#tree = tree;
    this.#paths = new PathIndex(tree.paths);
    this.#files = files;
  }

  /**
   * The files that an import means, most likely first; the importing file is never among them.
   *
   * @returns None when it means nothing in the tree.
   */
  resolve(from: ImportingFile, reference: ImportReference): readonly ResolvedFile[] {
    const found = this.#resolverOf(from)?.resolve(from, reference) ?? [];
    return this.#withoutSelf(from, found);
  }

  /** The files whose definitions a file uses without importing them: of its own package, namespace or module. */
  implicit(from: ImportingFile): readonly ResolvedFile[] {
    return this.#withoutSelf(from, this.#resolverOf(from)?.implicit?.(from) ?? []);
  }

  /** The number of a file, `undefined` when it is not in the tree. */
  numberOf(path: string): number | undefined {
    return this.#paths.numberOf(path);
  }

  #resolverOf({ language }: ImportingFile): LanguageResolver | undefined {
    if (language === null) return undefined;
    const known = this.#resolvers.get(language);
    if (known !== undefined) return known;
    const family = families.find(({ languages }) => languages.includes(language));
    if (family === undefined) return undefined;
    const files = this.#filesIn(family.languages);
    const resolver = family.make({ tree: this.#tree, paths: this.#paths, files });
    for (const each of family.languages) this.#resolvers.set(each, resolver);
    return resolver;
  }

  /** In the order of the tree, so that the order in which files were given does not count. */
  #filesIn(languages: readonly string[]): ImportingFile[] {
    const numbered: { readonly file: ImportingFile; readonly number: number }[] = [];
    for (const file of this.#files) {
      if (file.language === null || !languages.includes(file.language)) continue;
      const number = this.#paths.numberOf(file.path);
      if (number !== undefined) numbered.push({ file, number });
    }
    return numbered.sort((one, other) => one.number - other.number).map(({ file }) => file);
  }

  #withoutSelf(from: ImportingFile, found: readonly ResolvedFile[]): readonly ResolvedFile[] {
    const own = this.#paths.numberOf(from.path);
    return found.some(({ file }) => file === own)
      ? found.filter(({ file }) => file !== own)
      : found;
  }
}
