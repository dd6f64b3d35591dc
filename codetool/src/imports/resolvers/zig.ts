import {
  type FileTree,
  folderOf,
  joinPath,
  type LanguageResolver,
  likely,
  manifestsNamed,
  nearest,
  type PathIndex,
  readManifest,
  surely,
  upwards,
  type World,
} from "../tree/index.ts";

/** Modules that come with the compiler or are made by it. */
const builtIn = new Set(["std", "builtin", "root"]);

/** Zig: paths are relative to the file; other names are modules that a `build.zig` above makes. */
export function zigResolver({ tree, paths }: World): LanguageResolver {
  const modules = readModules(tree, paths);
  return {
    resolve: (from, { specifier }) => {
      const folder = folderOf(from.path);
      if (specifier.endsWith(".zig") || specifier.endsWith(".zon")) {
        const path = joinPath(folder, specifier);
        return surely(path === null ? undefined : paths.numberOf(path));
      }
      if (builtIn.has(specifier)) return [];
      for (const above of upwards(folder)) {
        const found = modules.get(`${above}:${specifier}`);
        if (found !== undefined) return likely(found, 0.9);
      }
      const at = { paths, from: from.path, confidence: 0.5 };
      const named = nearest(paths.endingWith(`${specifier}/src/root.zig`), at);
      return named.length > 0 ? named : nearest(paths.endingWith(`${specifier}.zig`), at);
    },
  };
}

/** Root files by folder of the `build.zig` and name. */
function readModules(tree: FileTree, paths: PathIndex): ReadonlyMap<string, number> {
  const modules = new Map<string, number>();
  for (const number of manifestsNamed(paths, ["build.zig"])) {
    const manifest = paths.pathOf(number);
    const folder = folderOf(manifest);
    const text = readManifest(tree, manifest) ?? "";
    for (const [, name = "", file = ""] of text.matchAll(
      /(?:\baddModule\s*\(\s*|\baddAnonymousImport\s*\(\s*|\.name\s*=\s*)"([^"\n]+)"[^]{0,300}?\broot_source_file\s*=\s*(?:b\.path\s*\(\s*|\.\{\s*\.path\s*=\s*)"([^"\n]+)"/g,
    )) {
      const path = joinPath(folder, file);
      const root = path === null ? undefined : paths.numberOf(path);
      const key = `${folder}:${name}`;
      if (root !== undefined && !modules.has(key)) modules.set(key, root);
    }
  }
  return modules;
}
