import type { ImportReference } from "../../syntax/index.ts";
import {
  folderOf,
  type ImportingFile,
  inFolder,
  joinPath,
  type LanguageResolver,
  likely,
  nearest,
  type PathIndex,
  type ResolvedFile,
  surely,
  upwards,
  type World,
} from "../tree/index.ts";

/** Lua: `a.b` is `a/b.lua` or `a/b/init.lua` below a folder of the search path, which are not known but usual. */
export function luaResolver({ paths }: World): LanguageResolver {
  return { resolve: (from, reference) => resolveModule(paths, from, reference) };
}

const places = ["", "lua", "src", "lib", "scripts"];

function resolveModule(
  paths: PathIndex,
  from: ImportingFile,
  { specifier, kind }: ImportReference,
): readonly ResolvedFile[] {
  const folder = folderOf(from.path);
  const isPath = kind === "include" || specifier.includes("/");
  const name = isPath ? specifier : specifier.replaceAll(".", "/");
  const endings = kind === "include" ? [name] : [`${name}.lua`, `${name}/init.lua`, `${name}.luau`];
  const at = (base: string): number | undefined =>
    paths.firstOf(endings.flatMap((ending) => joinPath(base, ending) ?? []));
  if (specifier.startsWith("./")) return surely(at(folder));
  for (const above of upwards(folder)) {
    for (const place of places) {
      const found = at(inFolder(above, place));
      if (found !== undefined) return likely(found, 0.9);
    }
  }
  for (const ending of endings) {
    const confidence = ending.includes("/") ? 0.8 : 0.5;
    const found = nearest(paths.endingWith(ending), { paths, from: from.path, confidence });
    if (found.length > 0) return found;
  }
  return [];
}
