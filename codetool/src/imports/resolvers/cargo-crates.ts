import {
  type FileTree,
  folderOf,
  inFolder,
  joinPath,
  manifestsNamed,
  type PathIndex,
  readManifest,
  readToml,
  sharedDepth,
  type TomlTables,
  upwards,
} from "../tree/index.ts";

/** A crate of the tree. */
export interface Crate {
  readonly folder: string;
  /** As `use` names it: underscores for hyphens. */
  readonly name: string;
  /** Path of its library's root file, which may not be there. */
  readonly libraryPath: string;
  /** Dependencies under another name than their own. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The crates that a tree holds, from its `Cargo.toml` files. */
export class CargoCrates {
  readonly #byFolder = new Map<string, Crate>();
  readonly #byName = new Map<string, Crate[]>();

  constructor(tree: FileTree, paths: PathIndex) {
    for (const number of manifestsNamed(paths, ["Cargo.toml"])) {
      const path = paths.pathOf(number);
      const crate = crateOf(folderOf(path), readToml(readManifest(tree, path) ?? ""));
      if (crate === null) continue;
      this.#byFolder.set(crate.folder, crate);
      const named = this.#byName.get(crate.name);
      if (named === undefined) this.#byName.set(crate.name, [crate]);
      else named.push(crate);
    }
  }

  /** The crate that a folder belongs to. */
  around(folder: string): Crate | undefined {
    for (const each of upwards(folder)) {
      const found = this.#byFolder.get(each);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Says whether a folder is a crate's own. */
  isCrateFolder(folder: string): boolean {
    return this.#byFolder.has(folder);
  }

  /** The crate that a name means in a crate; of several the nearest. */
  named(name: string, from: Crate | undefined): Crate | undefined {
    const wanted = from?.renamed.get(name) ?? name;
    let best: Crate | undefined;
    let bestDepth = -1;
    for (const candidate of this.#byName.get(wanted) ?? []) {
      const depth = sharedDepth(from?.folder ?? "", candidate.folder);
      if (depth <= bestDepth) continue;
      best = candidate;
      bestDepth = depth;
    }
    return best;
  }
}

function crateOf(folder: string, toml: TomlTables): Crate | null {
  const packageName = toml.get("package")?.get("name");
  if (packageName === undefined) return null;
  const library = toml.get("lib");
  const libraryPath = joinPath(folder, library?.get("path") ?? "src/lib.rs");
  return {
    folder,
    name: (library?.get("name") ?? packageName).replaceAll("-", "_"),
    libraryPath: libraryPath ?? inFolder(folder, "src/lib.rs"),
    renamed: renamedIn(toml),
  };
}

/** `other = { package = "real" }`, on one line or as a table. */
function renamedIn(toml: TomlTables): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [table, keys] of toml) {
    if (!/dependencies/.test(table)) continue;
    for (const [key, value] of keys) {
      const inner = /^(.+)\.package$/.exec(key)?.[1];
      const own = key === "package" ? /dependencies\.([^.]+)$/.exec(table)?.[1] : undefined;
      const alias = inner ?? own;
      if (alias !== undefined) renamed.set(alias.replaceAll("-", "_"), value.replaceAll("-", "_"));
    }
  }
  return renamed;
}
