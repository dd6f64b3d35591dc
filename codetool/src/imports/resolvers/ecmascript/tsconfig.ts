import {
  type FileTree,
  folderOf,
  inFolder,
  joinPath,
  type JsonFields,
  objectIn,
  parseJsonObject,
  type PathIndex,
  readManifest,
  stringIn,
  stringsIn,
  upwards,
} from "../../tree/index.ts";
import type { Packages } from "./packages.ts";

/** The rules of a configuration for module names. Folders are relative to the tree's root. */
export interface ModuleAliases {
  /** The folder in which names that match no pattern are searched for; `null` for none. */
  readonly baseFolder: string | null;
  /** Pattern with at most one star, and the paths that may mean it. */
  readonly patterns: readonly (readonly [pattern: string, targets: readonly string[]])[];
}

const extendsDepthMax = 16;
const fileNames = ["tsconfig.json", "jsconfig.json", "tsconfig.base.json"];

/** The aliases of `tsconfig.json` and `jsconfig.json` files, for any folder. */
export class Tsconfigs {
  readonly #tree: FileTree;
  readonly #paths: PathIndex;
  readonly #packages: Packages;
  readonly #byPath = new Map<string, JsonFields | null>();
  readonly #byFolder = new Map<string, readonly ModuleAliases[]>();

  constructor(tree: FileTree, paths: PathIndex, packages: Packages) {
    this.#tree = tree;
    this.#paths = paths;
    this.#packages = packages;
  }

  /** The aliases that count in a folder: of the nearest configuration first, then of those above. */
  for(folder: string): readonly ModuleAliases[] {
    const known = this.#byFolder.get(folder);
    if (known !== undefined) return known;
    const found: ModuleAliases[] = [];
    for (const each of upwards(folder)) {
      for (const name of fileNames) {
        const path = inFolder(each, name);
        if (this.#paths.numberOf(path) !== undefined) found.push(...this.#withReferences(path));
      }
    }
    const aliases = found.filter(
      ({ baseFolder, patterns }) => baseFolder !== null || patterns.length > 0,
    );
    this.#byFolder.set(folder, aliases);
    return aliases;
  }

  #read(path: string): JsonFields | null {
    let config = this.#byPath.get(path);
    if (config === undefined) {
      config = parseJsonObject(readManifest(this.#tree, path) ?? "") ?? null;
      this.#byPath.set(path, config);
    }
    return config;
  }

  /** A configuration that only refers to others means them. */
  #withReferences(path: string): ModuleAliases[] {
    const own = this.#aliasesOf(path, 0);
    const references = this.#read(path)?.["references"];
    if (!Array.isArray(references) || own.patterns.length > 0) return [own];
    const others = references.slice(0, 64).flatMap((reference) => {
      const target = stringIn(objectIn(reference)?.["path"]);
      const joined = target === undefined ? null : joinPath(folderOf(path), target);
      // A reference to another project's folder does not apply to files of this one.
      return joined?.endsWith(".json") === true ? [this.#aliasesOf(joined, 0)] : [];
    });
    return [own, ...others];
  }

  #aliasesOf(path: string, depth: number): ModuleAliases {
    const config = this.#read(path);
    let inherited: ModuleAliases = { baseFolder: null, patterns: [] };
    if (config === null) return inherited;
    const folder = folderOf(path);
    for (const base of stringsIn(config["extends"])) {
      const basePath = depth < extendsDepthMax ? this.#extendedPath(folder, base) : undefined;
      if (basePath === undefined) continue;
      const { baseFolder, patterns } = this.#aliasesOf(basePath, depth + 1);
      inherited = {
        baseFolder: baseFolder ?? inherited.baseFolder,
        patterns: patterns.length > 0 ? patterns : inherited.patterns,
      };
    }
    const options = objectIn(config["compilerOptions"]) ?? {};
    const base = stringIn(options["baseUrl"]);
    const ownBase = base === undefined ? null : joinPath(folder, withoutConfigDir(base));
    const table = objectIn(options["paths"]);
    const baseFolder = ownBase ?? inherited.baseFolder;
    if (table === undefined) return { baseFolder, patterns: inherited.patterns };
    const patterns = Object.entries(table).map(([pattern, targets]) => {
      const joined = stringsIn(targets).flatMap(
        (target) => joinPath(baseFolder ?? folder, withoutConfigDir(target)) ?? [],
      );
      return [pattern, joined] as const;
    });
    return { baseFolder, patterns };
  }

  #extendedPath(folder: string, base: string): string | undefined {
    if (!base.startsWith(".")) {
      const [, name = "", rest = ""] = /^(@[^/]+\/[^/]+|[^/]+)\/?(.*)$/.exec(base) ?? [];
      const found = this.#packages.named(name, folder);
      if (found === undefined) return undefined;
      return this.#existing(inFolder(found.folder, rest === "" ? "tsconfig.json" : rest));
    }
    const path = joinPath(folder, base);
    return path === null ? undefined : this.#existing(path);
  }

  #existing(path: string): string | undefined {
    const candidates = [path, `${path}.json`, inFolder(path, "tsconfig.json")];
    return candidates.find((each) => this.#paths.numberOf(each) !== undefined);
  }
}

function withoutConfigDir(path: string): string {
  return path.replace(/^\$\{configDir\}\/?/, "./");
}

/**
 * The paths that aliases give for a specifier, of the most exact pattern.
 *
 * @returns Paths relative to the root, whether they exist or not.
 */
export function aliasTargets(
  { patterns, baseFolder }: ModuleAliases,
  specifier: string,
): readonly string[] {
  let best: { readonly targets: readonly string[]; readonly star: string } | null = null;
  let bestLength = -1;
  for (const [pattern, targets] of patterns) {
    const at = pattern.indexOf("*");
    if (at === -1) {
      if (pattern === specifier) return targets;
      continue;
    }
    const end = pattern.slice(at + 1);
    const isMatch =
      specifier.length >= at + end.length &&
      specifier.startsWith(pattern.slice(0, at)) &&
      specifier.endsWith(end);
    if (!isMatch || at <= bestLength) continue;
    best = { targets, star: specifier.slice(at, specifier.length - end.length) };
    bestLength = at;
  }
  const { targets, star } = best ?? { targets: [], star: "" };
  const aliased = targets.flatMap(
    (target) =>
      joinPath(
        "",
        target.replace("*", () => star),
      ) ?? [],
  );
  const based = baseFolder === null ? null : joinPath(baseFolder, specifier);
  return based === null ? aliased : [...aliased, based];
}
