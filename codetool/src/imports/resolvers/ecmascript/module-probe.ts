import { folderOf, inFolder, nameOf, type PathIndex } from "../../tree/index.ts";

const typescriptFirst = words(
  "ts tsx d.ts mts cts js jsx mjs cjs json vue svelte astro node d.mts d.cts",
);
const javascriptFirst = words(
  "js jsx mjs cjs ts tsx mts cts d.ts json vue svelte astro node d.mts d.cts",
);

function words(list: string): readonly string[] {
  return list.split(" ");
}

/** What a specifier with the extension of a built file means in the sources. */
const sourcesOfBuilt: { readonly [extension: string]: readonly string[] } = {
  js: ["ts", "tsx", "d.ts", "jsx"],
  jsx: ["tsx", "ts", "d.ts"],
  mjs: ["mts", "d.mts", "ts"],
  cjs: ["cts", "d.cts", "ts"],
};

/**
 * Finds the file that a module's path means: as written, the source of a built file, with an extension, or the index
 * of a folder.
 *
 * @param path Relative to the root, with or without extension.
 * @param options.isTypescript The importing file is TypeScript, where the source comes before the built file.
 */
export function probeModule(
  paths: PathIndex,
  path: string,
  options: { readonly isTypescript: boolean },
): number | undefined {
  return probeFile(paths, path, options) ?? probeIndex(paths, path, options);
}

/** As `probeModule`, without the index of a folder. */
export function probeFile(
  paths: PathIndex,
  path: string,
  options: { readonly isTypescript: boolean },
): number | undefined {
  const built = /^(.*[^/])\.([mc]?jsx?)$/.exec(path);
  const [, stem = "", extension = ""] = built ?? [];
  const sources = (sourcesOfBuilt[extension] ?? []).map((source) => `${stem}.${source}`);
  const asWritten = options.isTypescript ? [...sources, path] : [path, ...sources];
  const found = paths.firstOf(asWritten);
  if (found !== undefined) return found;
  const extensions = options.isTypescript ? typescriptFirst : javascriptFirst;
  if (nameOf(path) !== "" && !path.endsWith("/")) {
    const extended = paths.firstOf(extensions.map((each) => `${path}.${each}`));
    if (extended !== undefined) return extended;
  }
  // A declaration that was made from a source.
  const declared = /^(.*[^/])\.d\.([mc]?ts)$/.exec(path);
  if (declared !== null) {
    return paths.firstOf([`${declared[1]}.${declared[2]}`, `${declared[1]}.tsx`]);
  }
  return platformVariant(paths, path);
}

/** `./x` may be `x.native.ts` and the like, where one is built for each platform. */
function platformVariant(paths: PathIndex, path: string): number | undefined {
  if (!paths.hasFolder(folderOf(path))) return undefined;
  const candidates = ["native", "ios", "web"].flatMap((platform) =>
    ["ts", "tsx", "js", "jsx"].map((extension) => `${path}.${platform}.${extension}`),
  );
  return paths.firstOf(candidates);
}

/** The index of a folder. */
export function probeIndex(
  paths: PathIndex,
  folder: string,
  options: { readonly isTypescript: boolean },
): number | undefined {
  if (!paths.hasFolder(folder)) return undefined;
  const extensions = options.isTypescript ? typescriptFirst : javascriptFirst;
  return paths.firstOf(extensions.map((each) => inFolder(folder, `index.${each}`)));
}
