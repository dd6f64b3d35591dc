import type { ImportReference } from "../../syntax/index.ts";
import {
  folderOf,
  type ImportingFile,
  inFolder,
  type LanguageResolver,
  likely,
  merged,
  nameOf,
  nearest,
  type PathIndex,
  type ResolvedFile,
  upwards,
  type World,
} from "../tree/index.ts";
import { pythonStandardModules } from "./python-standard-library.ts";

/**
 * Python: relative imports by their dots; absolute ones from the folder above the importing file's outermost package,
 * from the folders above that and their `src`, and last from any package of the tree with that name. `from p import m`
 * means the module `p.m` where there is one, else the file of `p`.
 */
export function pythonResolver({ paths }: World): LanguageResolver {
  const resolver = new PythonResolver(paths);
  return { resolve: (from, reference) => resolver.resolve(from, reference) };
}

/** A module path that is there: a file, a folder, or a folder with `__init__.py`. */
interface Place {
  readonly path: string;
  readonly file: number | undefined;
  readonly confidence: number;
}

class PythonResolver {
  readonly #paths: PathIndex;
  readonly #roots = new Map<string, string>();
  #modules: Map<string, number[]> | null = null;

  constructor(paths: PathIndex) {
    this.#paths = paths;
  }

  resolve(from: ImportingFile, { specifier, names }: ImportReference): readonly ResolvedFile[] {
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
    const module = specifier.slice(dots);
    const parts = module === "" ? [] : module.split(".");
    if (parts.includes("")) return [];
    if (dots > 0) {
      const base = ancestor(folderOf(from.path), dots - 1);
      if (base === null) return [];
      return this.#named(this.#placeAt(inFolder(base, parts.join("/")), 1), names);
    }
    for (const place of this.#absolute(from, parts)) {
      const found = this.#named(place, names);
      if (found.length > 0) return found;
    }
    return this.#anywhere(from, { parts, names });
  }

  /** Where an absolute module is, seen from a file, most likely first. */
  *#absolute(from: ImportingFile, parts: readonly string[]): Generator<Place> {
    const path = parts.join("/");
    const root = this.#rootOf(folderOf(from.path));
    for (const folder of upwards(root)) {
      for (const place of ["", "src", "lib", "python"]) {
        const base = inFolder(folder, place);
        if (place !== "" && !this.#paths.hasFolder(base)) continue;
        const found = this.#placeAt(inFolder(base, path), folder === root ? 1 : 0.9);
        if (found !== null) yield found;
      }
    }
  }

  /** The folder above the outermost package that a folder is in. */
  #rootOf(folder: string): string {
    const known = this.#roots.get(folder);
    if (known !== undefined) return known;
    let root = folder;
    while (root !== "" && this.#initOf(root) !== undefined) root = folderOf(root);
    this.#roots.set(folder, root);
    return root;
  }

  #initOf(folder: string): number | undefined {
    return this.#paths.firstOf([inFolder(folder, "__init__.py"), inFolder(folder, "__init__.pyi")]);
  }

  #placeAt(path: string, confidence: number): Place | null {
    const init = this.#initOf(path);
    const file = init ?? this.#paths.firstOf([`${path}.py`, `${path}.pyi`, `${path}.pyx`]);
    if (file === undefined && !this.#paths.hasFolder(path)) return null;
    return { path, file, confidence };
  }

  /** The files that names of a module mean. */
  #named(place: Place | null, names: readonly string[]): readonly ResolvedFile[] {
    if (place === null) return [];
    const { path, file, confidence } = place;
    const own = likely(file, confidence);
    if (names.length === 0) return own;
    const isFolder = file === undefined || nameOf(this.#paths.pathOf(file)).startsWith("__init__");
    if (!isFolder) return own;
    const found = names.map((name) => {
      const inner = name === "*" ? null : this.#placeAt(inFolder(path, name), confidence);
      return inner?.file === undefined ? own : likely(inner.file, confidence);
    });
    return merged(found);
  }

  /** A module of that name in any package of the tree, for those whose folders are put together when installed. */
  #anywhere(
    from: ImportingFile,
    wanted: { readonly parts: readonly string[]; readonly names: readonly string[] },
  ): readonly ResolvedFile[] {
    const { parts, names } = wanted;
    if (pythonStandardModules.has(parts[0] ?? "")) return [];
    const modules = (this.#modules ??= this.#modulesOfTree());
    const path = parts.join("/");
    for (let dropped = 0; dropped < parts.length; dropped += 1) {
      const alike = modules.get(parts.slice(dropped).join(".")) ?? [];
      if (alike.length > 200) continue;
      const fitting = alike.filter((file) => isModulePath(this.#paths.pathOf(file), path));
      const confidence = dropped === 0 ? 0.8 : 0.6;
      const found = nearest(fitting, { paths: this.#paths, from: from.path, confidence });
      if (found.length > 0) {
        return merged(
          found.map((each) => this.#named({ ...each, path: this.#modulePath(each.file) }, names)),
        );
      }
    }
    return [];
  }

  /** The path of a module's place: without extension, a package by its folder. */
  #modulePath(file: number): string {
    return this.#paths.pathOf(file).replace(/(?:\/__init__)?\.pyi?$/, "");
  }

  /** Every module by its dotted name below its own root. */
  #modulesOfTree(): Map<string, number[]> {
    const modules = new Map<string, number[]>();
    for (const [number, path] of this.#paths.paths.entries()) {
      if (!/\.pyi?$/.test(path)) continue;
      const root = this.#rootOf(folderOf(path));
      const module = this.#modulePath(number).slice(root === "" ? 0 : root.length + 1);
      const name = module.replaceAll("/", ".");
      const files = modules.get(name);
      if (files === undefined) modules.set(name, [number]);
      else files.push(number);
    }
    return modules;
  }
}

function ancestor(folder: string, count: number): string | null {
  let at = folder;
  for (let step = 0; step < count; step += 1) {
    if (at === "") return null;
    at = folderOf(at);
  }
  return at;
}

function isModulePath(file: string, path: string): boolean {
  const module = file.replace(/(?:\/__init__)?\.pyi?$/, "");
  return module === path || module.endsWith(`/${path}`);
}
