import {
  type FileTree,
  folderOf,
  inFolder,
  joinPath,
  type JsonFields,
  likely,
  manifestsNamed,
  objectIn,
  parseJsonObject,
  type PathIndex,
  readManifest,
  type ResolvedFile,
  sharedDepth,
  stringIn,
  surely,
  upwards,
} from "../../tree/index.ts";
import { probeModule } from "./module-probe.ts";
import { exportTargets } from "./package-exports.ts";
import { leavesVersionOut } from "./version-range.ts";

/** A package of the tree: a workspace, or the root. */
export interface TreePackage {
  /** Its folder; `""` is the root. */
  readonly folder: string;
  readonly manifest: JsonFields;
}

interface ProbeOptions {
  readonly isTypescript: boolean;
}

/** The packages that a tree holds, by name and by folder. */
export class Packages {
  readonly #paths: PathIndex;
  readonly #byFolder = new Map<string, TreePackage>();
  readonly #byName = new Map<string, TreePackage[]>();

  constructor(tree: FileTree, paths: PathIndex) {
    this.#paths = paths;
    for (const number of manifestsNamed(paths, ["package.json"])) {
      const path = paths.pathOf(number);
      const manifest = parseJsonObject(readManifest(tree, path) ?? "");
      if (manifest === undefined) continue;
      const found = { folder: folderOf(path), manifest };
      this.#byFolder.set(found.folder, found);
      const name = stringIn(manifest["name"]);
      if (name === undefined) continue;
      const named = this.#byName.get(name);
      if (named === undefined) this.#byName.set(name, [found]);
      else named.push(found);
    }
  }

  /** The package that a folder belongs to. */
  around(folder: string): TreePackage | undefined {
    for (const each of upwards(folder)) {
      const found = this.#byFolder.get(each);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The package of exactly this folder. */
  at(folder: string): TreePackage | undefined {
    return this.#byFolder.get(folder);
  }

  /**
   * The package that a name means in a folder: of several the nearest. One whose version the range of the dependency leaves
   * out is not meant: an installer takes another release of it.
   */
  named(name: string, from: string): TreePackage | undefined {
    const dependency = this.#dependency(name, from);
    const [, other, otherRange] = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(dependency?.range ?? "") ?? [];
    const range = other === undefined ? dependency?.range : otherRange;
    let best: TreePackage | undefined;
    let bestDepth = -1;
    for (const candidate of this.#byName.get(other ?? name) ?? []) {
      const depth = sharedDepth(from, candidate.folder);
      if (depth <= bestDepth) continue;
      const version = stringIn(candidate.manifest["version"]);
      const isOwn = candidate.folder === dependency?.folder;
      if (!isOwn && leavesVersionOut(range ?? "", version ?? "")) continue;
      best = candidate;
      bestDepth = depth;
    }
    return best;
  }

  /** What the nearest manifest that names a dependency says of it, and the folder of that manifest. */
  #dependency(
    name: string,
    from: string,
  ): { readonly folder: string; readonly range: string } | undefined {
    for (const folder of upwards(from)) {
      const manifest = this.#byFolder.get(folder)?.manifest;
      if (manifest === undefined) continue;
      for (const field of dependencyFields) {
        const range = stringIn(objectIn(manifest[field])?.[name]);
        if (range !== undefined) return { folder, range };
      }
    }
    return undefined;
  }

  /**
   * Finds the file that a subpath of a package means.
   *
   * @param subpath `"."` for the package itself, else `"./x"`.
   */
  resolve(
    { folder, manifest }: TreePackage,
    subpath: string,
    options: ProbeOptions,
  ): readonly ResolvedFile[] {
    const fields = ["source", "module", "main", "types", "typings"];
    const targets =
      manifest["exports"] === undefined && subpath === "."
        ? fields.flatMap((field) => stringIn(manifest[field]) ?? [])
        : exportTargets(manifest["exports"], subpath);
    const exact = this.#firstTarget(folder, targets, options);
    if (exact.length > 0) return exact;
    const path = joinPath(folder, subpath);
    if (path === null) return [];
    if (subpath !== ".") {
      const written = probeModule(this.#paths, path, options);
      if (written !== undefined) return surely(written);
    }
    const places = subpath === "." ? ["src", "", "lib", "src/main", "src/lib"] : ["src", "lib"];
    const rest = subpath.slice(2);
    for (const place of places) {
      const found = probeModule(this.#paths, inFolder(folder, inFolder(place, rest)), options);
      if (found !== undefined) return likely(found, 0.7);
    }
    return [];
  }

  /** The first target that exists, or whose source exists. */
  #firstTarget(
    folder: string,
    targets: readonly string[],
    options: ProbeOptions,
  ): readonly ResolvedFile[] {
    for (const target of targets) {
      const path = joinPath(folder, target);
      const found = path === null ? undefined : probeModule(this.#paths, path, options);
      if (found !== undefined) return surely(found);
    }
    for (const target of targets) {
      const found = this.sourceOf(folder, target);
      if (found !== undefined) return likely(found, 0.9);
    }
    return [];
  }

  /** The source that a built file (`dist/esm/x.js`), which is not in the tree, was probably made from. */
  sourceOf(folder: string, target: string): number | undefined {
    const parts = (joinPath("", target) ?? "").split("/");
    if (!builtFolders.has(parts[0] ?? "")) return undefined;
    for (let dropped = 1; dropped <= Math.min(2, parts.length - 1); dropped += 1) {
      const rest = parts.slice(dropped).join("/");
      for (const place of ["src", "source", "", "lib"]) {
        const path = inFolder(folder, inFolder(place, rest));
        const found = probeModule(this.#paths, path, { isTypescript: true });
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

const dependencyFields = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

const builtFolders = new Set(["dist", "lib", "build", "out", "es", "esm", "cjs", "output", "umd"]);
