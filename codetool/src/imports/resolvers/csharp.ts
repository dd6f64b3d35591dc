import type { ImportReference } from "../../syntax/index.ts";
import {
  type ImportingFile,
  type LanguageResolver,
  merged,
  NamespaceIndex,
  nearest,
  type PathIndex,
  type ResolvedFile,
  type World,
} from "../tree/index.ts";

/**
 * C#: a namespace means those of its files that define what the importing file uses; so do the file's own namespaces
 * and those around them.
 */
export function csharpResolver({ paths, files }: World): LanguageResolver {
  const namespaces = new NamespaceIndex(paths);
  for (const file of files) {
    const definedNames = withAttributes(file.definedNames);
    for (const key of file.namespaces.length === 0 ? [""] : file.namespaces) {
      namespaces.add(key, { path: file.path, definedNames });
    }
  }
  return {
    resolve: (from, reference) => resolveUsing(from, reference, { paths, namespaces }),
    implicit: (from) => ownNamespaces(from, namespaces),
  };
}

/** `[Test]` is how `TestAttribute` is written where it is used. */
function withAttributes(names: readonly string[]): readonly string[] {
  const short = names.flatMap((name) => /^(.+)Attribute$/.exec(name)?.[1] ?? []);
  return short.length === 0 ? names : [...names, ...short];
}

interface Tables {
  readonly paths: PathIndex;
  readonly namespaces: NamespaceIndex;
}

function resolveUsing(
  from: ImportingFile,
  { specifier, names }: ImportReference,
  { paths, namespaces }: Tables,
): readonly ResolvedFile[] {
  const isWhole = names.length === 1 && names[0] === "*";
  if (isWhole && namespaces.has(specifier)) {
    return namespaces.using(specifier, from, 0.9);
  }
  const path = isWhole || names.length === 0 ? specifier : `${specifier}.${names[0] ?? ""}`;
  const parts = path.split(".");
  // A type, or a type inside of a type.
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const key = parts.slice(0, count).join(".");
    const defining = namespaces.defining(key, parts[count] ?? "");
    if (defining.length > 0) return nearest(defining, { paths, from: from.path, confidence: 1 });
  }
  return [];
}

function ownNamespaces(from: ImportingFile, namespaces: NamespaceIndex): readonly ResolvedFile[] {
  const seen = new Set<string>();
  for (const own of from.namespaces) {
    const parts = own.split(".").slice(0, 16);
    for (let count = parts.length; count > 0; count -= 1) {
      seen.add(parts.slice(0, count).join("."));
    }
  }
  if (seen.size === 0) seen.add("");
  const lists = [...seen].map((key) => namespaces.using(key, from, key === "" ? 0.5 : 0.8));
  return merged(lists);
}
