import type { ImportReference } from "../../syntax/index.ts";
import {
  type FileTree,
  folderOf,
  type ImportingFile,
  inFolder,
  joinPath,
  type LanguageResolver,
  likely,
  manifestsNamed,
  merged,
  nameOf,
  NamespaceIndex,
  nearest,
  type PathIndex,
  readManifest,
  type ResolvedFile,
  sharedDepth,
  upwards,
  type World,
} from "../tree/index.ts";

/** A module by its `go.mod`. */
interface GoModule {
  readonly path: string;
  readonly folder: string;
  /** Other modules that are taken from folders of the tree. */
  readonly replaced: ReadonlyMap<string, string>;
}

/**
 * Go: the folder of a package by the modules of the tree, their `replace`, and `vendor`; of its files, those that define
 * the names that the importing file uses. Files of one package see each other without import.
 */
export function goResolver({ tree, paths, files }: World): LanguageResolver {
  const packages = new NamespaceIndex(paths);
  for (const file of files) {
    const folder = folderOf(file.path);
    packages.add(file.path.endsWith("_test.go") ? `${folder}\0test` : folder, file);
  }
  const resolver = new GoResolver(paths, packages, readModules(tree, paths));
  return {
    resolve: (from, reference) => resolver.resolve(from, reference),
    implicit: (from) => resolver.implicit(from),
  };
}

function readModules(tree: FileTree, paths: PathIndex): GoModule[] {
  return manifestsNamed(paths, ["go.mod"]).flatMap((number) => {
    const manifest = paths.pathOf(number);
    const text = (readManifest(tree, manifest) ?? "").replace(/\/\/[^\n]*/g, "");
    const path = /^\s*module\s+"?([^\s"]+)"?/m.exec(text)?.[1];
    if (path === undefined) return [];
    const folder = folderOf(manifest);
    const replaced = new Map<string, string>();
    for (const [, from = "", to = ""] of text.matchAll(
      /^\s*(?:replace\s+)?"?([^\s"]+)"?(?:\s+v[^\s]+)?\s*=>\s*"?(\.{1,2}\/[^\s"]*)"?/gm,
    )) {
      const target = joinPath(folder, to);
      if (target !== null) replaced.set(from, target);
    }
    return [{ path, folder, replaced }];
  });
}

class GoResolver {
  readonly #paths: PathIndex;
  readonly #packages: NamespaceIndex;
  readonly #modules = new Map<string, GoModule[]>();
  readonly #replaced = new Map<string, string[]>();
  readonly #hasModules: boolean;
  #foldersByName: Map<string, string[]> | null = null;

  constructor(paths: PathIndex, packages: NamespaceIndex, modules: readonly GoModule[]) {
    this.#paths = paths;
    this.#packages = packages;
    this.#hasModules = modules.length > 0;
    for (const module of modules) {
      this.#modules.set(module.path, [...(this.#modules.get(module.path) ?? []), module]);
      for (const [path, folder] of module.replaced) {
        this.#replaced.set(path, [...(this.#replaced.get(path) ?? []), folder]);
      }
    }
  }

  resolve(from: ImportingFile, { specifier, names }: ImportReference): readonly ResolvedFile[] {
    const own = folderOf(from.path);
    for (const { folder, confidence } of this.#foldersFor(specifier, own)) {
      const files = this.#packages.filesOf(folder);
      if (files.length === 0) continue;
      const defining = names.flatMap((name) => {
        const found = this.#packages.defining(folder, name);
        // Several files define one name where each is built for another system.
        return [found.map((file) => ({ file, confidence: confidence / found.length }))];
      });
      const found = merged(defining);
      if (found.length > 0) return found;
      // An import for its effects, or one whose names were not found, means the whole package.
      if (files.length === 1) return likely(files[0], confidence);
      return this.#mainFiles(files, specifier, confidence);
    }
    return [];
  }

  /** The file named as the package and `doc.go` stand for it; else all files share. */
  #mainFiles(
    files: readonly number[],
    specifier: string,
    confidence: number,
  ): readonly ResolvedFile[] {
    const names = new Set([`${nameOf(specifier)}.go`, "doc.go"]);
    const main = files.filter((file) => names.has(nameOf(this.#paths.pathOf(file))));
    const chosen = main.length > 0 ? main : files.slice(0, 16);
    return chosen.map((file) => ({ file, confidence: confidence / chosen.length }));
  }

  implicit(from: ImportingFile): readonly ResolvedFile[] {
    const folder = folderOf(from.path);
    const found = this.#packages.using(folder, from, 0.9);
    if (!from.path.endsWith("_test.go")) return found;
    return merged([found, this.#packages.using(`${folder}\0test`, from, 0.9)]);
  }

  /** Folders that an import path may mean, most likely first. */
  *#foldersFor(
    specifier: string,
    own: string,
  ): Generator<{ readonly folder: string; readonly confidence: number }> {
    if (specifier.startsWith("./") || specifier.startsWith("../")) {
      const folder = joinPath(own, specifier);
      if (folder !== null) yield { folder, confidence: 1 };
      return;
    }
    for (const prefix of upwards(specifier)) {
      if (prefix === "") break;
      const rest = specifier.slice(prefix.length + 1);
      const modules = this.#modules.get(prefix)?.map(({ folder }) => folder) ?? [];
      const roots = [...(this.#replaced.get(prefix) ?? []), ...modules].sort(
        (one, other) => sharedDepth(own, other) - sharedDepth(own, one),
      );
      for (const root of roots) yield { folder: inFolder(root, rest), confidence: 1 };
    }
    for (const folder of upwards(own)) {
      const vendor = inFolder(folder, "vendor");
      if (this.#paths.hasFolder(vendor)) {
        yield { folder: inFolder(vendor, specifier), confidence: 1 };
      }
    }
    yield* this.#withoutModules(specifier, own);
  }

  /** A tree without `go.mod` is a part of a workspace: the longest ending of the path that is a folder. */
  *#withoutModules(
    specifier: string,
    own: string,
  ): Generator<{ readonly folder: string; readonly confidence: number }> {
    const isStandard = !specifier.split("/")[0]?.includes(".");
    if (isStandard) {
      // The standard library itself.
      for (const base of ["src", ""]) {
        if (this.#modules.has("std") || !this.#hasModules) {
          yield { folder: inFolder(base, specifier), confidence: 0.9 };
        }
      }
      return;
    }
    if (this.#hasModules) return;
    const candidates = (this.#foldersByName ??= this.#namedFolders()).get(nameOf(specifier)) ?? [];
    const parts = specifier.split("/");
    for (let dropped = 1; dropped < parts.length; dropped += 1) {
      const ending = parts.slice(dropped).join("/");
      const fitting = candidates.filter(
        (folder) => folder === ending || folder.endsWith(`/${ending}`),
      );
      const firsts = fitting.flatMap((folder) => this.#packages.filesOf(folder).slice(0, 1));
      const near = nearest(firsts, {
        paths: this.#paths,
        from: inFolder(own, "_"),
        confidence: 0.7,
      });
      for (const { file, confidence } of near) {
        yield { folder: folderOf(this.#paths.pathOf(file)), confidence };
      }
    }
    // The root of the tree is the package itself.
    if (parts.length === 3) yield { folder: "", confidence: 0.5 };
  }

  #namedFolders(): Map<string, string[]> {
    const named = new Map<string, string[]>();
    for (const folder of this.#paths.folders()) {
      const name = nameOf(folder);
      const folders = named.get(name);
      if (folders === undefined) named.set(name, [folder]);
      else if (folders.length < 200) folders.push(folder);
    }
    return named;
  }
}
