import type { ImportReference } from "../../syntax/index.ts";
import { cStandardHeaders } from "./c-standard-headers.ts";
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

/**
 * C and C++: looks next to the including file, then below the folders above it (`include`, `src`, the folder itself),
 * which compilers usually get as include paths, then for the only file of the tree whose path ends with the given one.
 */
export function includeResolver({ paths }: World): LanguageResolver {
  return { resolve: (from, reference) => resolveInclude(paths, from, reference) };
}

const places = ["include", "", "src", "inc", "lib"];

function resolveInclude(
  paths: PathIndex,
  from: ImportingFile,
  { specifier }: ImportReference,
): readonly ResolvedFile[] {
  const isSystem = specifier.startsWith("<");
  const written = (isSystem ? specifier.slice(1, -1) : specifier).trim().replaceAll("\\", "/");
  const folder = folderOf(from.path);
  if (!isSystem) {
    const beside = joinPath(folder, written);
    const found = beside === null ? undefined : paths.numberOf(beside);
    if (found !== undefined) return surely(found);
  } else if (cStandardHeaders.has(written) || written.startsWith("sys/")) {
    return [];
  }
  for (const above of upwards(folder)) {
    for (const place of places) {
      const path = joinPath(inFolder(above, place), written);
      const found = path === null ? undefined : paths.numberOf(path);
      if (found !== undefined) return likely(found, isSystem ? 0.8 : 0.9);
    }
  }
  const ending = written.replace(/^(?:\.{1,2}\/)+/, "");
  const isBare = !ending.includes("/");
  const confidence = isSystem && isBare ? 0.4 : isBare ? 0.6 : 0.8;
  return nearest(paths.endingWith(ending), { paths, from: from.path, confidence });
}
