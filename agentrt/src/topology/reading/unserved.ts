import type { UnservedKey, UnservedUse } from "../model/index.ts";
import { formatPath, locate, type SourceNode, type SourcePath, toPlain } from "../source/index.ts";

/** Where to look for unserved keys. */
export interface UnservedSearch {
  readonly source: SourceNode;
  readonly keys: readonly UnservedKey[];
  readonly pathOf: (path: SourcePath) => SourcePath;
  /** Put before the key in its printed name, for example `http_gateway: `. */
  readonly owner: string;
}

/**
 * Lists the uses of keys that this build does not serve.
 *
 * @param search The values, the keys and the way back to the document.
 * @returns Each use with its position.
 */
export function findUnservedUses({ source, keys, pathOf, owner }: UnservedSearch): UnservedUse[] {
  const uses: UnservedUse[] = [];
  for (const key of keys) {
    for (const path of expand(source, key.path.split("."))) {
      const found = locate(source, path);
      if (!found.isWhole) continue;
      const value = toPlain(found.node);
      if (key.isServed?.(value) === true) continue;
      const written = found.node.kind === "scalar" ? found.node.written : undefined;
      const shown =
        typeof value === "object" || value === true ? "" : `: ${written ?? String(value)}`;
      const name = path.filter((part) => typeof part === "string").join(".");
      uses.push({
        ...found.keyAt,
        path: formatPath(pathOf(path)),
        key: `${owner}${name}${shown}`,
      });
    }
  }
  return uses;
}

/** Turns `routes.*.mode` into one path per item that is there. */
function expand(source: SourceNode, parts: readonly string[]): (string | number)[][] {
  let paths: (string | number)[][] = [[]];
  for (const part of parts) {
    paths = paths.flatMap((path) => {
      if (part !== "*") return [[...path, part]];
      const { node, isWhole } = locate(source, path);
      if (!isWhole || node.kind !== "list") return [];
      return node.items.map((_, index) => [...path, index]);
    });
  }
  return paths;
}
