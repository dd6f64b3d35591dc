import type { ImportReference } from "../../syntax/index.ts";
import {
  folderOf,
  type ImportingFile,
  type LanguageResolver,
  merged,
  NamespaceIndex,
  nearest,
  type PathIndex,
  type ResolvedFile,
  type World,
} from "../tree/index.ts";

/**
 * Java, Kotlin and Scala, which import each other: by the packages that files declare and the names they define there,
 * and by folders where nothing is declared. `a.b.*` means those files of the package whose names are used; so does a
 * file's own package.
 */
export function jvmResolver({ paths, files }: World): LanguageResolver {
  const packages = new NamespaceIndex(paths);
  for (const file of files) packages.add(packageOf(file), file);
  const resolver = new JvmResolver(paths, packages);
  return {
    resolve: (from, reference) => resolver.resolve(from, reference),
    implicit: (from) => resolver.implicit(from),
  };
}

class JvmResolver {
  readonly #paths: PathIndex;
  readonly #packages: NamespaceIndex;

  constructor(paths: PathIndex, packages: NamespaceIndex) {
    this.#paths = paths;
    this.#packages = packages;
  }

  resolve(from: ImportingFile, { specifier, names }: ImportReference): readonly ResolvedFile[] {
    const root = specifier.replace(/^_root_\./, "");
    const seen = from.language === "scala" && root === specifier ? outerPackages(from) : [];
    const wanted = names.length === 0 ? [""] : names;
    return merged(
      wanted.map((name) => {
        for (const prefix of ["", ...seen]) {
          const module = prefix === "" ? root : `${prefix}.${root}`;
          const found = this.#named(from, module, name);
          if (found.length > 0) return found;
        }
        return this.#byFolder(from, root, name);
      }),
    );
  }

  implicit(from: ImportingFile): readonly ResolvedFile[] {
    return this.#packages.using(packageOf(from), from, from.namespaces.length === 0 ? 0.5 : 0.9);
  }

  /** A name of a package, all of one, or a member of a type in one. */
  #named(from: ImportingFile, module: string, name: string): readonly ResolvedFile[] {
    if (name === "*" && this.#packages.has(module)) return this.#packages.using(module, from, 0.9);
    const path = name === "" || name === "*" ? module : `${module}.${name}`;
    // The type may be any part of the path: what follows it is inside of it.
    const parts = path.split(".");
    for (let count = parts.length - 1; count > 0; count -= 1) {
      const key = parts.slice(0, count).join(".");
      const defining = this.#packages.defining(key, parts[count] ?? "");
      if (defining.length > 0) {
        return nearest(defining, { paths: this.#paths, from: from.path, confidence: 1 });
      }
    }
    // A package itself, whose members are named by its last part.
    return this.#packages.has(path) ? this.#packages.using(path, from, 0.7) : [];
  }

  /** `a/b/C.java`, where the file says no package or was not read. */
  #byFolder(from: ImportingFile, module: string, name: string): readonly ResolvedFile[] {
    const parts = [...module.split("."), ...(/^[*]?$/.test(name) ? [] : [name])];
    for (let count = parts.length; count >= Math.max(2, parts.length - 1); count -= 1) {
      const path = parts.slice(0, count).join("/");
      const files = ["java", "kt", "scala"].flatMap((extension) =>
        this.#paths.endingWith(`${path}.${extension}`),
      );
      const found = nearest(files, { paths: this.#paths, from: from.path, confidence: 0.8 });
      if (found.length > 0) return found;
    }
    return [];
  }
}

/** Of packages one inside of the other, definitions belong to the last; without any, to those of the folder. */
function packageOf({ path, namespaces }: ImportingFile): string {
  return namespaces.at(-1) ?? `./${folderOf(path)}`;
}

/** The packages whose members a file sees: its own and those around, innermost first. */
function outerPackages(from: ImportingFile): string[] {
  const own = from.namespaces.at(-1);
  if (own === undefined) return [];
  const parts = own.split(".").slice(0, 16);
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join("."));
}
