import type { ImportReference } from "../../syntax/index.ts";
import {
  folderOf,
  type ImportingFile,
  inFolder,
  joinPath,
  type LanguageResolver,
  likely,
  NamespaceIndex,
  nearest,
  type PathIndex,
  type ResolvedFile,
  stemOf,
  surely,
  upwards,
  type World,
} from "../tree/index.ts";

/**
 * Ruby: relative paths; others below `lib` and the folders above the file, then below any `lib`. In an application
 * that loads by name (`app/models/blog_post.rb` for `BlogPost`), constants that are used mean their files.
 */
export function rubyResolver({ paths, files }: World): LanguageResolver {
  const constants = new NamespaceIndex(paths);
  for (const file of files) {
    const root = applicationRoot(file.path);
    if (root === null) continue;
    const constant = camelCase(stemOf(file.path));
    constants.add(root, { path: file.path, definedNames: [constant] });
  }
  return {
    resolve: (from, reference) => resolveRequire(paths, from, reference),
    implicit: (from) => {
      const root = applicationRoot(from.path) ?? testRoot(from.path);
      return root === null ? [] : constants.using(root, from, 0.6);
    },
  };
}

/** The folder above `app`, when the file is below. */
function applicationRoot(path: string): string | null {
  const found =
    /^(.*?)(?:^|\/)app\/(?:models|controllers|helpers|jobs|mailers|services|[a-z_]+)\//.exec(path);
  return found === null ? null : (found[1] ?? "");
}

/** The folder above `test` or `spec`. */
function testRoot(path: string): string | null {
  return /^(.*?)(?:^|\/)(?:test|spec|lib|config)\//.exec(path)?.[1] ?? null;
}

function camelCase(stem: string): string {
  return stem
    .split("_")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

function resolveRequire(
  paths: PathIndex,
  from: ImportingFile,
  { specifier }: ImportReference,
): readonly ResolvedFile[] {
  const folder = folderOf(from.path);
  const fileAt = (path: string | null): number | undefined =>
    path === null ? undefined : paths.firstOf([`${path}.rb`, path, `${path}.rake`]);
  if (specifier.startsWith(".")) return surely(fileAt(joinPath(folder, specifier)));
  if (specifier.startsWith("/")) return [];
  for (const above of upwards(folder)) {
    const inLibrary = fileAt(joinPath(inFolder(above, "lib"), specifier));
    if (inLibrary !== undefined) return likely(inLibrary, 1);
    const isLoadPath = /(?:^|\/)(?:lib|test|spec|app|features)$/.test(above) || above === "";
    const direct = isLoadPath ? fileAt(joinPath(above, specifier)) : undefined;
    if (direct !== undefined) return likely(direct, 0.9);
  }
  const name = specifier.endsWith(".rb") ? specifier : `${specifier}.rb`;
  const options = { paths, from: from.path };
  const found = nearest(paths.endingWith(`lib/${name}`), { ...options, confidence: 0.8 });
  if (found.length > 0 || !name.includes("/")) return found;
  return nearest(paths.endingWith(name), { ...options, confidence: 0.5 });
}
