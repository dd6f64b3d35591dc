import type { ImportReference } from "../syntax/index.ts";
import { csharpResolver } from "./csharp-resolver.ts";
import { ecmascriptResolver } from "./ecmascript/ecmascript-resolver.ts";
import type { FileTree, ImportingFile, LanguageResolver, ResolvedFile } from "./file-tree.ts";
import { goResolver } from "./go-resolver.ts";
import { includeResolver } from "./include-resolver.ts";
import { jvmResolver } from "./jvm-resolver.ts";
import { PathIndex } from "./path-index.ts";
import { phpResolver } from "./php-resolver.ts";
import { pythonResolver } from "./python-resolver.ts";
import { rubyResolver } from "./ruby-resolver.ts";
import { rustResolver } from "./rust-resolver.ts";
import { swiftResolver } from "./swift-resolver.ts";
import type { NumberedFile, World } from "./world.ts";

/** Languages that import each other, and how they do it. */
const families: readonly {
  readonly languages: readonly string[];
  readonly make: (world: World) => LanguageResolver;
}[] = [
  { languages: ["javascript", "typescript", "tsx"], make: ecmascriptResolver },
  { languages: ["python"], make: pythonResolver },
  { languages: ["rust"], make: rustResolver },
  { languages: ["go"], make: goResolver },
  { languages: ["java", "kotlin", "scala"], make: jvmResolver },
  { languages: ["c", "cpp"], make: includeResolver },
  { languages: ["csharp"], make: csharpResolver },
  { languages: ["ruby"], make: rubyResolver },
  { languages: ["php"], make: phpResolver },
  { languages: ["swift"], make: swiftResolver },
];

/** Says which files of a tree the imports of its files mean. */
export class ImportResolver {
  readonly #resolvers = new Map<string, LanguageResolver>();
  readonly #paths: PathIndex;

  /**
   * @param tree Paths and manifests. Which files there are decides, not their order.
   * @param files What is known of the files; one that is not in the tree is left out, one that is missing here is
   *   found by its path alone.
   */
  constructor(tree: FileTree, files: readonly ImportingFile[]) {
    this.#paths = new PathIndex(tree.paths);
    const byLanguage = new Map<string, NumberedFile[]>();
    for (const file of files) {
      const number = this.#paths.numberOf(file.path);
      if (number === undefined || file.language === null) continue;
      const known = byLanguage.get(file.language);
      if (known === undefined) byLanguage.set(file.language, [{ ...file, number }]);
      else known.push({ ...file, number });
    }
    for (const { languages, make } of families) {
      const own = languages.flatMap((language) => byLanguage.get(language) ?? []);
      if (own.length === 0) continue;
      own.sort((one, other) => one.number - other.number);
      const resolver = make({ tree, paths: this.#paths, files: own });
      for (const language of languages) this.#resolvers.set(language, resolver);
    }
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
    return language === null ? undefined : this.#resolvers.get(language);
  }

  #withoutSelf(from: ImportingFile, found: readonly ResolvedFile[]): readonly ResolvedFile[] {
    const own = this.#paths.numberOf(from.path);
    return found.some(({ file }) => file === own)
      ? found.filter(({ file }) => file !== own)
      : found;
  }
}
