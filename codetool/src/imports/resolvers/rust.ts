import type { ImportReference } from "../../syntax/index.ts";
import { CargoCrates } from "./cargo-crates.ts";
import {
  folderOf,
  type ImportingFile,
  inFolder,
  joinPath,
  type LanguageResolver,
  likely,
  merged,
  nameOf,
  type PathIndex,
  type ResolvedFile,
  stemOf,
  surely,
  type World,
} from "../tree/index.ts";

/**
 * Rust: `mod x;` to its file, `crate::`, `self::` and `super::` along the folders of modules, and crates of the tree by
 * name, also under another one. A path means the last module of it that is a file; what it names there is an item.
 */
export function rustResolver({ tree, paths }: World): LanguageResolver {
  const resolver = new RustResolver(paths, new CargoCrates(tree, paths));
  return { resolve: (from, reference) => resolver.resolve(from, reference) };
}

/** A module: the folder its children lie in, and its file. */
interface Module {
  readonly folder: string;
  readonly file: number | undefined;
}

const foreign = new Set(["std", "core", "alloc", "proc_macro", "test"]);

class RustResolver {
  readonly #paths: PathIndex;
  readonly #crates: CargoCrates;

  constructor(paths: PathIndex, crates: CargoCrates) {
    this.#paths = paths;
    this.#crates = crates;
  }

  resolve(from: ImportingFile, reference: ImportReference): readonly ResolvedFile[] {
    const { specifier, names, kind } = reference;
    if (specifier.startsWith(".")) {
      const path = joinPath(folderOf(from.path), specifier);
      return path === null ? [] : surely(this.#paths.numberOf(path));
    }
    const parts = specifier.split("::");
    if (kind === "include") {
      const folder = inFolder(this.#moduleOf(from).folder, parts.slice(1).join("/"));
      return surely(this.#paths.firstOf([`${folder}.rs`, inFolder(folder, "mod.rs")]));
    }
    const paths = names.length === 0 ? [parts] : names.map((name) => [...parts, name]);
    return merged(
      paths.map((path) => {
        const found = this.#fileOf(from, path);
        return found === null ? [] : likely(found.file, found.confidence);
      }),
    );
  }

  /** The file of a path's last module. */
  #fileOf(
    from: ImportingFile,
    path: readonly string[],
  ): { readonly file: number | undefined; readonly confidence: number } | null {
    const [first = "", ...rest] = path;
    if (foreign.has(first)) return null;
    if (first === "crate") return this.#walk(this.#crateRoot(from.path), rest, 1);
    if (first === "self" || first === "super") {
      let module: Module | null = this.#moduleOf(from);
      let at = first === "self" ? 1 : 0;
      for (; path[at] === "super" && module !== null; at += 1) module = this.#parentOf(module);
      return module === null ? null : this.#walk(module, path.slice(at), 1);
    }
    const own = this.#moduleOf(from);
    const isChild = from.imports.some(
      ({ kind, specifier }) => kind === "include" && specifier === `self::${first}`,
    );
    if (isChild) return this.#walk(own, path, 1);
    const crate = this.#crates.named(first, this.#crates.around(folderOf(from.path)));
    if (crate !== undefined) {
      const file = this.#paths.numberOf(crate.libraryPath);
      return this.#walk({ folder: folderOf(crate.libraryPath), file }, rest, 1);
    }
    // Paths began at the crate before the edition of 2018.
    const root = this.#crateRoot(from.path);
    return this.#child(root, first) === null ? null : this.#walk(root, path, 0.7);
  }

  #walk(
    start: Module,
    path: readonly string[],
    confidence: number,
  ): { readonly file: number | undefined; readonly confidence: number } {
    let module = start;
    let { file } = start;
    for (const part of path) {
      const child = this.#child(module, part);
      if (child === null) break;
      module = child;
      file = child.file ?? file;
    }
    return { file, confidence };
  }

  /** A module inside of another: a file, or a folder for those that are written within the file. */
  #child(module: Module, name: string): Module | null {
    const folder = inFolder(module.folder, name);
    const file = this.#paths.firstOf([`${folder}.rs`, inFolder(folder, "mod.rs")]);
    return file === undefined && !this.#paths.hasFolder(folder) ? null : { folder, file };
  }

  #moduleOf({ path }: ImportingFile): Module {
    const file = this.#paths.numberOf(path);
    const folder = folderOf(path);
    const isOwnFolder = nameOf(path) === "mod.rs" || this.#isRootFile(path);
    return { folder: isOwnFolder ? folder : inFolder(folder, stemOf(path)), file };
  }

  #parentOf({ folder }: Module): Module | null {
    if (folder === "") return null;
    const above = folderOf(folder);
    const file =
      this.#paths.firstOf([`${above}.rs`, inFolder(above, "mod.rs")]) ?? this.#rootFileIn(above);
    return { folder: above, file };
  }

  #rootFileIn(folder: string): number | undefined {
    return this.#paths.firstOf([inFolder(folder, "lib.rs"), inFolder(folder, "main.rs")]);
  }

  /** A file that a crate begins with: library, program, test, example, bench, build script. */
  #isRootFile(path: string): boolean {
    const name = nameOf(path);
    if (name === "lib.rs" || name === "main.rs" || name === "build.rs") return true;
    const folder = folderOf(path);
    const crate = this.#crates.around(folder);
    if (crate === undefined) return false;
    if (crate.libraryPath === path) return true;
    const inner = crate.folder === "" ? folder : folder.slice(crate.folder.length + 1);
    return /^(?:src\/bin|tests|examples|benches)$/.test(inner);
  }

  /** The root module of the crate that a file is compiled into. */
  #crateRoot(path: string): Module {
    const number = this.#paths.numberOf(path);
    if (this.#isRootFile(path)) return { folder: folderOf(path), file: number };
    const crate = this.#crates.around(folderOf(path));
    const libraryFolder = crate === undefined ? undefined : folderOf(crate.libraryPath);
    let folder = folderOf(path);
    for (;;) {
      const file =
        crate !== undefined && folder === libraryFolder
          ? (this.#paths.numberOf(crate.libraryPath) ?? this.#rootFileIn(folder))
          : this.#rootFileIn(folder);
      if (file !== undefined) return { folder, file };
      if (folder === "" || folder === crate?.folder || folder === libraryFolder) {
        return { folder, file: undefined };
      }
      folder = folderOf(folder);
    }
  }
}
