import type { FileTree, ImportingFile } from "./file-tree.ts";
import type { PathIndex } from "./path-index.ts";

/** What the resolver of a language is made from. */
export interface World {
  readonly tree: FileTree;
  readonly paths: PathIndex;
  /** The files of the languages that the resolver asked for, in the order of the tree. */
  readonly files: readonly ImportingFile[];
}

/** Manifests beyond this size (UTF-16 units) are not read: they are data of tests. */
export const manifestLengthMax = 1 << 20;

/**
 * Whether a path may be a manifest: a file whose text decides what the imports of other files mean.
 *
 * @returns True for any JSON file: `tsconfig.json` may extend one of any name.
 */
export function isManifest(path: string): boolean {
  return /(?:^|\/)(?:[^/]*\.json|Cargo\.toml|go\.mod|Package\.swift|build\.zig)$/.test(path);
}

/** Numbers of all files with one of these names. */
export function manifestsNamed(paths: PathIndex, names: readonly string[]): number[] {
  const wanted = new Set(names);
  const found: number[] = [];
  for (const [number, path] of paths.paths.entries()) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (wanted.has(name)) found.push(number);
  }
  return found;
}

/** Reads a manifest of bearable size. */
export function readManifest(tree: FileTree, path: string): string | undefined {
  const text = tree.readText(path);
  return text === undefined || text.length > manifestLengthMax
    ? undefined
    : text.replace(/^\uFEFF/, "");
}
