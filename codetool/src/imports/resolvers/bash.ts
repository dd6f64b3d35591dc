import type { ImportReference } from "../../syntax/index.ts";
import {
  folderOf,
  type ImportingFile,
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
 * Bash: paths are relative to where a script is started, mostly its own folder or one above; the value of a
 * variable is not known, so only the path after it decides.
 */
export function bashResolver({ paths }: World): LanguageResolver {
  return { resolve: (from, reference) => resolveSource(paths, from, reference) };
}

function resolveSource(
  paths: PathIndex,
  from: ImportingFile,
  { specifier }: ImportReference,
): readonly ResolvedFile[] {
  const folder = folderOf(from.path);
  const fixed = /^.*[$`)}][^/]*\//s.exec(specifier);
  const end = specifier.slice(fixed?.[0].length ?? 0);
  if (fixed === null && /^[/~]/.test(specifier)) return [];
  for (const above of upwards(folder)) {
    const path = joinPath(above, end);
    const found = path === null ? undefined : paths.numberOf(path);
    if (found === undefined) continue;
    if (above === folder && fixed === null) return surely(found);
    return likely(found, above === folder ? 0.8 : 0.7);
  }
  const ending = end.replace(/^(?:\.{1,2}\/)+/, "");
  const confidence = ending.includes("/") ? 0.7 : 0.5;
  return nearest(paths.endingWith(ending), { paths, from: from.path, confidence });
}
