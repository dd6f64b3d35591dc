import type { ImportReference } from "../../syntax/index.ts";
import {
  type FileTree,
  folderOf,
  type ImportingFile,
  inFolder,
  joinPath,
  type JsonFields,
  type LanguageResolver,
  likely,
  manifestsNamed,
  merged,
  NamespaceIndex,
  nearest,
  objectIn,
  parseJsonObject,
  type PathIndex,
  readManifest,
  type ResolvedFile,
  stringsIn,
  surely,
  upwards,
  type World,
} from "../tree/index.ts";

/** A namespace and the folder that its classes lie below. */
interface Prefix {
  readonly namespace: string;
  readonly folder: string;
}

/**
 * PHP: names by the namespaces that files declare, then by `autoload` of `composer.json`; included files next to the
 * file, from the folders above, and by the end of their path. Files of one namespace see each other.
 */
export function phpResolver({ tree, paths, files }: World): LanguageResolver {
  const namespaces = new NamespaceIndex(paths);
  for (const file of files) {
    for (const key of file.namespaces.length === 0 ? [""] : file.namespaces) {
      namespaces.add(key, file);
    }
  }
  const resolver = new PhpResolver(paths, namespaces, readPrefixes(tree, paths));
  return {
    resolve: (from, reference) => resolver.resolve(from, reference),
    implicit: (from) => resolver.implicit(from),
  };
}

function readPrefixes(tree: FileTree, paths: PathIndex): Prefix[] {
  const prefixes = manifestsNamed(paths, ["composer.json"]).flatMap((number) => {
    const path = paths.pathOf(number);
    const manifest: JsonFields = parseJsonObject(readManifest(tree, path) ?? "") ?? {};
    return ["autoload", "autoload-dev"].flatMap((field) => {
      const table = objectIn(objectIn(manifest[field])?.["psr-4"]) ?? {};
      return Object.entries(table).flatMap(([namespace, folders]) =>
        stringsIn(folders).flatMap((folder) => {
          const joined = joinPath(folderOf(path), folder);
          return joined === null ? [] : [{ namespace, folder: joined }];
        }),
      );
    });
  });
  return prefixes.sort((one, other) => other.namespace.length - one.namespace.length);
}

class PhpResolver {
  readonly #paths: PathIndex;
  readonly #namespaces: NamespaceIndex;
  readonly #prefixes = new Map<string, string[]>();

  constructor(paths: PathIndex, namespaces: NamespaceIndex, prefixes: readonly Prefix[]) {
    this.#paths = paths;
    this.#namespaces = namespaces;
    for (const { namespace, folder } of prefixes) {
      const key = namespace.replace(/\\+$/, "");
      this.#prefixes.set(key, [...(this.#prefixes.get(key) ?? []), folder]);
    }
  }

  resolve(from: ImportingFile, reference: ImportReference): readonly ResolvedFile[] {
    const { specifier, names, kind } = reference;
    if (kind === "include") return this.#included(from, specifier);
    const wanted = names.length === 0 ? [specifier] : names.map((name) => `${specifier}\\${name}`);
    return merged(wanted.map((name) => this.#named(from, name)));
  }

  implicit(from: ImportingFile): readonly ResolvedFile[] {
    const keys = from.namespaces.length === 0 ? [""] : from.namespaces;
    const lists = keys.map((key) => this.#namespaces.using(key, from, key === "" ? 0.6 : 0.9));
    return merged(lists);
  }

  #named(from: ImportingFile, name: string): readonly ResolvedFile[] {
    const at = name.lastIndexOf("\\");
    const key = at === -1 ? "" : name.slice(0, at);
    const defining = this.#namespaces.defining(key, name.slice(at + 1));
    if (defining.length > 0) {
      return nearest(defining, { paths: this.#paths, from: from.path, confidence: 1 });
    }
    // A namespace itself: what is written after its name in the file belongs to it.
    if (this.#namespaces.has(name)) {
      return this.#namespaces.using(name, from, 0.8);
    }
    return surely(this.#autoloaded(name));
  }

  #autoloaded(name: string): number | undefined {
    const parts = name.split("\\");
    for (let count = parts.length - 1; count >= 0; count -= 1) {
      for (const folder of this.#prefixes.get(parts.slice(0, count).join("\\")) ?? []) {
        const path = inFolder(folder, `${parts.slice(count).join("/")}.php`);
        const found = this.#paths.numberOf(path);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #included(from: ImportingFile, specifier: string): readonly ResolvedFile[] {
    const folder = folderOf(from.path);
    const beside = joinPath(folder, specifier);
    const found = beside === null ? undefined : this.#paths.numberOf(beside);
    if (found !== undefined || specifier.startsWith("./")) return surely(found);
    for (const above of upwards(folder)) {
      const path = joinPath(above, specifier);
      const there = path === null ? undefined : this.#paths.numberOf(path);
      if (there !== undefined) return likely(there, 0.8);
    }
    const ending = specifier.replace(/^(?:\.{1,2}\/)+/, "");
    return nearest(this.#paths.endingWith(ending), {
      paths: this.#paths,
      from: from.path,
      confidence: 0.6,
    });
  }
}
