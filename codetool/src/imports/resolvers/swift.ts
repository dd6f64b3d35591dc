import type { ImportReference } from "../../syntax/index.ts";
import {
  type FileTree,
  folderOf,
  inFolder,
  joinPath,
  type LanguageResolver,
  manifestsNamed,
  merged,
  nameOf,
  NamespaceIndex,
  nearest,
  type PathIndex,
  readManifest,
  upwards,
  type World,
} from "../tree/index.ts";

/**
 * Swift: a module is the folder of a target, by `Package.swift` or below `Sources` and `Tests`; an import means those
 * of its files that define what is used. Files of one module see each other without import.
 */
export function swiftResolver({ tree, paths, files }: World): LanguageResolver {
  const targets = readTargets(tree, paths);
  const modules = new NamespaceIndex(paths);
  for (const file of files) modules.add(moduleOf(targets, file.path), file);
  return {
    resolve: (from, { specifier, names }: ImportReference) => {
      if (names[0] === "*" || names.length === 0) {
        return modules.using(specifier, from, 0.9);
      }
      const options = { paths, from: from.path, confidence: 1 };
      return merged(names.map((name) => nearest(modules.defining(specifier, name), options)));
    },
    implicit: (from) => {
      const module = moduleOf(targets, from.path);
      return modules.using(module, from, module === "" ? 0.6 : 0.9);
    },
  };
}

/** Names of targets by folder. */
function readTargets(tree: FileTree, paths: PathIndex): Map<string, string> {
  const targets = new Map<string, string>();
  for (const number of manifestsNamed(paths, ["Package.swift"])) {
    const manifest = paths.pathOf(number);
    const folder = folderOf(manifest);
    const text = readManifest(tree, manifest) ?? "";
    for (const [, kind = "", name = "", rest = ""] of text.matchAll(
      /\.(target|executableTarget|testTarget|macro|plugin)\s*\(\s*name\s*:\s*"([^"\n]+)"([^]*?)(?=\.(?:target|executableTarget|testTarget|macro|plugin)\s*\(\s*name|$)/g,
    )) {
      const path = /\bpath\s*:\s*"([^"\n]+)"/.exec(rest)?.[1];
      const standard = inFolder(kind === "testTarget" ? "Tests" : "Sources", name);
      const joined = joinPath(folder, path ?? standard);
      if (joined !== null) targets.set(joined, name);
    }
  }
  return targets;
}

function moduleOf(targets: ReadonlyMap<string, string>, path: string): string {
  let last = "";
  for (const folder of upwards(folderOf(path))) {
    const target = targets.get(folder);
    if (target !== undefined) return target;
    if (/^(?:Sources|Tests|Source)$/.test(nameOf(folder))) return last;
    last = nameOf(folder);
  }
  return "";
}
