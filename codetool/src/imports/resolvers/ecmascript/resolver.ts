import type { ImportReference } from "../../../syntax/index.ts";
import {
  folderOf,
  type ImportingFile,
  inFolder,
  joinPath,
  type LanguageResolver,
  likely,
  type PathIndex,
  type ResolvedFile,
  surely,
  type World,
} from "../../tree/index.ts";
import { probeFile, probeIndex, probeModule } from "./module-probe.ts";
import { exportTargets } from "./package-exports.ts";
import { Packages } from "./packages.ts";
import { aliasTargets, Tsconfigs } from "./tsconfig.ts";

interface ProbeOptions {
  readonly isTypescript: boolean;
}

/**
 * JavaScript and TypeScript: relative paths, `paths` and `baseUrl` of the nearest configuration, `imports` of the own
 * package, packages of the tree by name with their `exports` and `main`, and aliases that only a bundler knows.
 */
export function ecmascriptResolver({ tree, paths }: World): LanguageResolver {
  const packages = new Packages(tree, paths);
  const resolver = new EcmascriptResolver(paths, packages, new Tsconfigs(tree, paths, packages));
  return { resolve: (from, reference) => resolver.resolve(from, reference) };
}

class EcmascriptResolver {
  readonly #paths: PathIndex;
  readonly #packages: Packages;
  readonly #tsconfigs: Tsconfigs;

  constructor(paths: PathIndex, packages: Packages, tsconfigs: Tsconfigs) {
    this.#paths = paths;
    this.#packages = packages;
    this.#tsconfigs = tsconfigs;
  }

  resolve(from: ImportingFile, reference: ImportReference): readonly ResolvedFile[] {
    const options = { isTypescript: from.language !== "javascript" };
    const folder = folderOf(from.path);
    // Loaders are before the path, their options after it.
    const specifier = reference.specifier.replace(/^.*!/, "").replace(/(?<=[^#])[?#].*$/, "");
    if (/^\.\.?(?:\/|$)/.test(specifier)) return this.#relative(folder, specifier, options);
    if (/^[a-z][a-z0-9+.-]*:/.test(specifier)) return [];
    for (const aliases of this.#tsconfigs.for(folder)) {
      for (const target of aliasTargets(aliases, specifier)) {
        const found = this.#module(target, options);
        if (found.length > 0) return found;
      }
    }
    if (specifier.startsWith("#")) return this.#ownImport(folder, specifier, options);
    const named = this.#packageImport(folder, specifier, options);
    return named.length > 0 ? named : this.#bundlerAlias(folder, specifier, options);
  }

  #relative(folder: string, specifier: string, options: ProbeOptions): readonly ResolvedFile[] {
    const path = joinPath(folder, specifier);
    if (path === null) return [];
    const found = this.#module(path, options, { isFolder: /(?:^|\/)\.{0,2}$/.test(specifier) });
    if (found.length > 0) return found;
    return likely(this.#sourceOfBuilt(path), 0.8);
  }

  /** A path as a module: a file, a package's folder, or a folder with an index. */
  #module(path: string, options: ProbeOptions, { isFolder = false } = {}): readonly ResolvedFile[] {
    const file = isFolder ? undefined : probeFile(this.#paths, path, options);
    if (file !== undefined) return surely(file);
    const inner = this.#packages.at(path);
    if (inner !== undefined && path !== "") {
      const found = this.#packages.resolve(inner, ".", options);
      if (found.length > 0) return found;
    }
    return surely(probeIndex(this.#paths, path, options));
  }

  /** Scripts import what a build will make: `../dist/x.js`. */
  #sourceOfBuilt(path: string): number | undefined {
    const around = this.#packages.around(folderOf(path));
    if (around === undefined) return undefined;
    const { folder } = around;
    const inner = folder === "" ? path : path.slice(folder.length + 1);
    return this.#packages.sourceOf(folder, inner);
  }

  #ownImport(folder: string, specifier: string, options: ProbeOptions): readonly ResolvedFile[] {
    const own = this.#packages.around(folder);
    if (own === undefined) return [];
    for (const target of exportTargets(own.manifest["imports"], specifier)) {
      if (!target.startsWith(".")) return this.#packageImport(folder, target, options);
      const path = joinPath(own.folder, target);
      const found = path === null ? [] : this.#module(path, options);
      if (found.length > 0) return found;
      const source = this.#packages.sourceOf(own.folder, target);
      if (source !== undefined) return likely(source, 0.9);
    }
    return [];
  }

  #packageImport(
    folder: string,
    specifier: string,
    options: ProbeOptions,
  ): readonly ResolvedFile[] {
    const [, name = "", rest = ""] = /^(@[^/]+\/[^/]+|[^@/][^/]*)(\/.*)?$/.exec(specifier) ?? [];
    const found = name === "" ? undefined : this.#packages.named(name, folder);
    return found === undefined ? [] : this.#packages.resolve(found, `.${rest}`, options);
  }

  /** `@/x` and `~/x` by custom; `src/x` from the package's folder. */
  #bundlerAlias(folder: string, specifier: string, options: ProbeOptions): readonly ResolvedFile[] {
    const own = this.#packages.around(folder)?.folder ?? "";
    const aliased = /^(?:@|~|~~|@@)\/(.+)$/.exec(specifier)?.[1];
    if (aliased !== undefined) {
      for (const place of ["src", "", "app", "lib"]) {
        const path = joinPath(inFolder(own, place), aliased);
        const found = path === null ? undefined : probeModule(this.#paths, path, options);
        if (found !== undefined) return likely(found, 0.6);
      }
      return [];
    }
    const [first = ""] = specifier.split("/");
    if (first === specifier || !this.#paths.hasFolder(inFolder(own, first))) return [];
    const path = joinPath(own, specifier);
    return likely(path === null ? undefined : probeModule(this.#paths, path, options), 0.6);
  }
}
